/** What a template of a letter may have filled in. */
export const templateNames = [
  'instance',
  'claim',
  'cluster',
  'owner',
  'deadline',
  'day',
  'deletion',
  'since',
  'asleep',
  'expired',
  'link',
] as const;

/** And the page around it. */
export const layoutNames = ['language', 'subject', 'body'] as const;
