import { apiGroup, apiVersion } from '../api-group.ts';
import { protectedAnnotations } from '../protection.ts';
import { type Rule, record, type Schema, text } from './schema.ts';

export interface Definition {
  readonly kind: string;
  readonly plural: string;
  readonly shortNames: readonly string[];
  readonly columns: readonly Column[];
  readonly description: string;
  readonly spec: Schema;
  readonly status: Schema;
  /** On the resource as a whole: the only place where its name can be looked at. */
  readonly rules?: readonly Rule[];
}

/** One column of `kubectl get`. `wide`: only with `-o wide`. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'date';
  readonly jsonPath: string;
  readonly description: string;
  readonly priority?: 1;
}

/** Of cluster-scoped kinds, as all of ours are. A CRD that goes takes every resource with it, so it is protected. */
export function customResourceDefinition(definition: Definition) {
  const { kind, plural, shortNames, columns } = definition;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${apiGroup}`,
      labels: { 'app.kubernetes.io/part-of': 'quiesce' },
      annotations: { ...protectedAnnotations },
    },
    spec: {
      group: apiGroup,
      scope: 'Cluster',
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: kind.toLowerCase(),
        shortNames,
        categories: ['quiesce'],
      },
      versions: [
        {
          name: 'v1alpha1',
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: columns,
          schema: { openAPIV3Schema: resourceSchema(definition) },
        },
      ],
    },
  };
}

function resourceSchema({ kind, description, spec, status, rules }: Definition): Schema {
  const metadata: Schema = { type: 'object' }; // not even a description is allowed here
  const properties = { apiVersion: text(apiVersion), kind: text(kind), metadata, spec, status };
  return record(description, properties, ['spec'], rules);
}

const age: Column = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
  description: 'How long the resource has been there.',
  priority: 1,
};

export function columns(...own: readonly Column[]): readonly Column[] {
  return [...own, age];
}
