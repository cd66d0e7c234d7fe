/** Group of our own kinds, all of them cluster-scoped: they outlive the namespaces that they speak of. */
export const apiGroup = 'quiesce.dev';

export const apiVersion = `${apiGroup}/v1alpha1`;

/** Where the programs of this project run on each host cluster. */
export const systemNamespace = 'quiesce-system';
