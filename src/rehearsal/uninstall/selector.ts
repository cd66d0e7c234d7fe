type Labels = Readonly<Record<string, string>>;

/** Splits at commas that are not between brackets. */
const comma = /,(?![^(]*\))/;

/** Whether a selector as `kubectl -l` takes it selects these labels; one that cannot be read selects nothing. */
export function selects(selector: string, labels: Labels): boolean {
  return selector.split(comma).every((term) => holds(term.trim(), labels));
}

function holds(term: string, labels: Labels): boolean {
  const [, key = '', operator = '', value = ''] = /^([^\s!=,()]+)\s*(==|=|!=)\s*([^\s!=,()]*)$/.exec(term) ?? [];
  if (key !== '') return (labelOf(labels, key) === value) === (operator !== '!=');
  const [, of = '', word = '', list = ''] = /^([^\s!=,()]+)\s+(in|notin)\s+\(([^()]*)\)$/.exec(term) ?? [];
  if (of !== '') {
    const values = list.split(',').map((each) => each.trim());
    return values.includes(labelOf(labels, of) ?? '\0') === (word === 'in');
  }
  const [, not = '', named = ''] = /^(!?)\s*([^\s!=,()]+)$/.exec(term) ?? [];
  return named !== '' && (labelOf(labels, named) !== undefined) === (not === '');
}

function labelOf(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}
