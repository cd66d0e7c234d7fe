import { type Fault, shown } from './fault.ts';

const label = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const label1035 = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/;
const qualifiedName = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

/** RFC 1123 label: namespaces, components, most object names. */
export function dnsLabelFault(text: string): Fault | undefined {
  if (text.length > 63) return tooLong(text, 63, 'a DNS label');
  return label.test(text) ? undefined : invalid(text, 'lower-case letters, digits and "-"', label);
}

/** RFC 1035 label: what names a Service has to start with a letter. */
export function dns1035Fault(text: string): Fault | undefined {
  if (label1035.test(text)) return undefined;
  return invalid(text, 'lower-case letters, digits and "-", starting with a letter', label1035);
}

/** RFC 1123 subdomain: labels joined by dots, as Secrets and storage classes are named. */
export function dnsSubdomainFault(text: string): Fault | undefined {
  if (text.length > 253) return tooLong(text, 253, 'a DNS name');
  const bad = text.split('.').find((part) => !label.test(part));
  return bad === undefined ? undefined : invalid(text, 'lower-case letters, digits, "-" and "."', subdomain);
}

/** A domain that hosts are put in front of: at least two labels of at most 63 characters each. */
export function domainFault(text: string): Fault | undefined {
  const labels = text.split('.');
  const long = labels.find((part) => part.length > 63);
  if (long !== undefined) return tooLong(long, 63, 'one label of a domain');
  if (labels.length < 2 && label.test(text)) {
    return {
      code: 'domain-invalid',
      message: `${shown(text)} is no domain: it has a single label.`,
      remedy: 'Write the whole domain, for example "apps.example.edu".',
    };
  }
  const fault = dnsSubdomainFault(text);
  if (fault === undefined) return undefined;
  const bare = /^(?:[a-z]+:\/\/)?([^/:]*?)\.?(?::[0-9]+)?(?:\/.*)?$/.exec(text)?.[1] ?? '';
  const isBetter = bare !== text && bare.includes('.') && dnsSubdomainFault(bare) === undefined;
  return {
    code: 'domain-invalid',
    message: isBetter ? `${shown(text)} is more than a domain.` : fault.message.replace('valid name', 'domain'),
    remedy: isBetter ? `Write ${shown(bare)}.` : fault.remedy,
  };
}

/** A label or annotation key: an optional DNS prefix and `/`, then a name of at most 63 characters. */
export function qualifiedNameFault(text: string): Fault | undefined {
  const slash = text.indexOf('/');
  const prefix = slash < 0 ? undefined : text.slice(0, slash);
  const name = text.slice(slash + 1);
  if (prefix !== undefined && dnsSubdomainFault(prefix) !== undefined) {
    return keyFault(text, `the prefix ${shown(prefix)} is no DNS name`);
  }
  if (name.length > 63) return keyFault(text, `the part after "/" has ${name.length} characters, 63 are allowed`);
  if (qualifiedName.test(name)) return undefined;
  return keyFault(text, 'letters, digits, "-", "_" and "." are allowed, starting and ending with a letter or digit');
}

function keyFault(text: string, why: string): Fault {
  return {
    code: 'label-key-invalid',
    message: `${shown(text)} is no valid key: ${why}.`,
    remedy: 'Write it as "name" or "example.edu/name".',
    on: 'key',
  };
}

function invalid(text: string, allowed: string, pattern: { test(text: string): boolean }): Fault {
  const better = text
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return {
    code: 'name-invalid',
    message: `${shown(text)} is no valid name: ${allowed}, ending with a letter or digit.`,
    remedy: pattern.test(better) ? `Write ${shown(better)}.` : 'Choose another name.',
  };
}

function tooLong(text: string, limit: number, what: string): Fault {
  return {
    code: 'name-too-long',
    message: `${shown(text)} has ${text.length} characters; ${what} may have ${limit}.`,
    remedy: `Shorten it by ${text.length - limit}.`,
  };
}

const subdomain = { test: (text: string): boolean => text.split('.').every((part) => label.test(part)) };
