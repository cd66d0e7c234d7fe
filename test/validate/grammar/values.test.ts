import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { durationFault, durationText, toSeconds } from '../../../src/validate/grammar/duration.ts';
import { emailFault } from '../../../src/validate/grammar/email.ts';
import { type Fault, shown } from '../../../src/validate/grammar/fault.ts';
import { imageFault, isFloatingImage } from '../../../src/validate/grammar/image.ts';
import { instantFault } from '../../../src/validate/grammar/instant.ts';
import { annotationsFaults, labelsFaults, labelValueFault } from '../../../src/validate/grammar/labels.ts';
import {
  dns1035Fault,
  dnsLabelFault,
  dnsSubdomainFault,
  domainFault,
  qualifiedNameFault,
} from '../../../src/validate/grammar/names.ts';
import { quotaNameFault, resourceNameFault } from '../../../src/validate/grammar/resource-names.ts';
import { selectorFault } from '../../../src/validate/grammar/selector.ts';
import { timeZoneFault } from '../../../src/validate/grammar/time-zone.ts';
import { gitUrlFault, httpsUrlFault, originUrlFault, repositoryUrlFault } from '../../../src/validate/grammar/url.ts';
import { chartVersionFault, vclusterVersionFault, versionFault } from '../../../src/validate/grammar/version.ts';

type Grammar = (text: string) => Fault | undefined;

/** The grammar, what it takes, and what it refuses with message and remedy. */
const grammars: readonly [
  string,
  Grammar,
  readonly string[],
  readonly (readonly [text: string, message: string, remedy: string])[],
][] = [
  [
    'a DNS label',
    dnsLabelFault,
    ['a', 'a-b', '0a', 'a'.repeat(63)],
    [
      [
        'Ada',
        '"Ada" is no valid name: lower-case letters, digits and "-", ending with a letter or digit.',
        'Write "ada".',
      ],
      [
        'my_claim',
        '"my_claim" is no valid name: lower-case letters, digits and "-", ending with a letter or digit.',
        'Write "my-claim".',
      ],
      [
        'a.b',
        '"a.b" is no valid name: lower-case letters, digits and "-", ending with a letter or digit.',
        'Choose another name.',
      ],
      [
        '',
        '"" is no valid name: lower-case letters, digits and "-", ending with a letter or digit.',
        'Choose another name.',
      ],
      [
        'ä',
        '"ä" is no valid name: lower-case letters, digits and "-", ending with a letter or digit.',
        'Choose another name.',
      ],
      ['a'.repeat(65), `"${'a'.repeat(65)}" has 65 characters; a DNS label may have 63.`, 'Shorten it by 2.'],
    ],
  ],
  [
    'a DNS-1035 label',
    dns1035Fault,
    ['a', 'a1', 'a-1'],
    [
      [
        '1a',
        '"1a" is no valid name: lower-case letters, digits and "-", starting with a letter, ending with a letter or digit.',
        'Choose another name.',
      ],
      [
        'a-',
        '"a-" is no valid name: lower-case letters, digits and "-", starting with a letter, ending with a letter or digit.',
        'Write "a".',
      ],
    ],
  ],
  [
    'a DNS subdomain',
    dnsSubdomainFault,
    ['a', 'a.b-c.d', '1.2'],
    [
      [
        'a..b',
        '"a..b" is no valid name: lower-case letters, digits, "-" and ".", ending with a letter or digit.',
        'Choose another name.',
      ],
      [
        'A.b',
        '"A.b" is no valid name: lower-case letters, digits, "-" and ".", ending with a letter or digit.',
        'Write "a.b".',
      ],
      ['a'.repeat(254), `"${'a'.repeat(80)}…" has 254 characters; a DNS name may have 253.`, 'Shorten it by 1.'],
    ],
  ],
  [
    'a base domain',
    domainFault,
    ['example.edu', 'apps.example.edu'],
    [
      [
        'localhost',
        '"localhost" is no domain: it has a single label.',
        'Write the whole domain, for example "apps.example.edu".',
      ],
      ['example.edu.', '"example.edu." is more than a domain.', 'Write "example.edu".'],
      ['https://example.edu', '"https://example.edu" is more than a domain.', 'Write "example.edu".'],
      ['apps.example.edu:443/path', '"apps.example.edu:443/path" is more than a domain.', 'Write "apps.example.edu".'],
      [
        'apps_1.example.edu',
        '"apps_1.example.edu" is no domain: lower-case letters, digits, "-" and ".", ending with a letter or digit.',
        'Write "apps-1.example.edu".',
      ],
      [
        `${'a'.repeat(64)}.edu`,
        `"${'a'.repeat(64)}" has 64 characters; one label of a domain may have 63.`,
        'Shorten it by 1.',
      ],
    ],
  ],
  [
    'a label key',
    qualifiedNameFault,
    ['app', 'app.kubernetes.io/name', 'A_b.c-d'],
    [
      ['/a', '"/a" is no valid key: the prefix "" is no DNS name.', 'Write it as "name" or "example.edu/name".'],
      [
        'a/b/c',
        '"a/b/c" is no valid key: letters, digits, "-", "_" and "." are allowed, starting and ending with a letter or digit.',
        'Write it as "name" or "example.edu/name".',
      ],
      [
        '-a',
        '"-a" is no valid key: letters, digits, "-", "_" and "." are allowed, starting and ending with a letter or digit.',
        'Write it as "name" or "example.edu/name".',
      ],
      [
        'Example.edu/a',
        '"Example.edu/a" is no valid key: the prefix "Example.edu" is no DNS name.',
        'Write it as "name" or "example.edu/name".',
      ],
      [
        'a'.repeat(64),
        `"${'a'.repeat(64)}" is no valid key: the part after "/" has 64 characters, 63 are allowed.`,
        'Write it as "name" or "example.edu/name".',
      ],
    ],
  ],
  [
    'a label value',
    labelValueFault,
    ['', 'a', 'A_b.c', '1'],
    [
      [
        'a b',
        '"a b" is no valid label value: letters, digits, "-", "_" and "." are allowed, starting and ending with a letter or digit.',
        'Shorten or respell it, or make it an annotation.',
      ],
      [
        'a'.repeat(64),
        `"${'a'.repeat(64)}" is no valid label value: it has 64 characters, 63 are allowed.`,
        'Shorten or respell it, or make it an annotation.',
      ],
    ],
  ],
  [
    'a duration',
    durationFault,
    ['90d', '12h', '2w', '1s', '30m', '36500d'],
    [
      [
        '90',
        '"90" is no valid duration: a whole number and one of s, m, h, d, w.',
        'Write for example "90d", "12h" or "2w".',
      ],
      ['90 days', '"90 days" is no valid duration: a whole number and one of s, m, h, d, w.', 'Write "90d".'],
      ['90D', '"90D" is no valid duration: a whole number and one of s, m, h, d, w.', 'Write "90d".'],
      [
        '1.5d',
        '"1.5d" is no valid duration: a whole number and one of s, m, h, d, w.',
        'Write for example "90d", "12h" or "2w".',
      ],
      [
        '1h30m',
        '"1h30m" is no valid duration: a whole number and one of s, m, h, d, w.',
        'Write for example "90d", "12h" or "2w".',
      ],
      [
        '-1d',
        '"-1d" is no valid duration: a whole number and one of s, m, h, d, w.',
        'Write for example "90d", "12h" or "2w".',
      ],
      ['0d', '"0d" is no valid duration: it must be more than nothing.', 'Write for example "90d", "12h" or "2w".'],
      [
        '36501d',
        '"36501d" is no valid duration: it is longer than a hundred years.',
        'Write for example "90d", "12h" or "2w".',
      ],
    ],
  ],
  [
    'an instant',
    instantFault,
    ['2026-01-31T08:00:00Z', '2024-02-29T23:59:60.123+01:00', '2000-02-29t00:00:00z'],
    [
      [
        '2026-02-29T08:00:00Z',
        '"2026-02-29T08:00:00Z" is no point in time as RFC 3339 writes it.',
        'Write for example "2026-01-31T08:00:00Z".',
      ],
      [
        '2026-01-31',
        '"2026-01-31" is no point in time as RFC 3339 writes it.',
        'Write for example "2026-01-31T08:00:00Z".',
      ],
      [
        '2026-01-31T08:00:00',
        '"2026-01-31T08:00:00" is no point in time as RFC 3339 writes it.',
        'Write for example "2026-01-31T08:00:00Z".',
      ],
      [
        '1900-02-29T24:00:00Z',
        '"1900-02-29T24:00:00Z" is no point in time as RFC 3339 writes it.',
        'Write for example "2026-01-31T08:00:00Z".',
      ],
    ],
  ],
  [
    'a mail address',
    emailFault,
    ['ada@example.edu', "o'neil+x@sub.example.edu", 'jörg@exämple.edu'],
    [
      ['ada', '"ada" is no mail address.', 'Write for example "ada@example.edu".'],
      ['ada@localhost', '"ada@localhost" is no mail address.', 'Write for example "ada@example.edu".'],
      ['ada@example..edu', '"ada@example..edu" is no mail address.', 'Write for example "ada@example.edu".'],
      ['.ada@example.edu', '".ada@example.edu" is no mail address.', 'Write for example "ada@example.edu".'],
      [
        'Ada <ada@example.edu>',
        '"Ada <ada@example.edu>" is no mail address.',
        'Write only what stands between "<" and ">".',
      ],
      [
        'a@b.edu\nBcc: all@b.edu',
        '"a@b.edu\\nBcc: all@b.edu" is no mail address.',
        'Write for example "ada@example.edu".',
      ],
      ['a@b.edu,c@d.edu', '"a@b.edu,c@d.edu" is no mail address.', 'Write for example "ada@example.edu".'],
    ],
  ],
  [
    'an image',
    imageFault,
    [
      'alpine',
      'library/alpine:3.20',
      'localhost:5000/a/b_c:T-1',
      `ghcr.io/x/y@sha256:${'0'.repeat(64)}`,
      '[::1]:5000/a:1',
    ],
    [
      [
        'Ghcr.io/Example/Tool:1',
        '"Ghcr.io/Example/Tool:1" is no image reference: [domain/]path[:tag][@digest], the path in lower case.',
        'Write "ghcr.io/example/tool:1".',
      ],
      [
        'a:b:c',
        '"a:b:c" is no image reference: [domain/]path[:tag][@digest], the path in lower case.',
        'Write for example "ghcr.io/example/tool:1.4.2".',
      ],
      [
        'https://ghcr.io/a',
        '"https://ghcr.io/a" is no image reference: [domain/]path[:tag][@digest], the path in lower case.',
        'Write for example "ghcr.io/example/tool:1.4.2".',
      ],
    ],
  ],
  [
    'a vCluster version',
    vclusterVersionFault,
    ['0.20.0', '0.36.1', '1.0.0', '0.31.0-beta.1'],
    [
      ['v0.30.1', '"v0.30.1" is no version: three numbers, for example "0.30.1".', 'Write "0.30.1".'],
      [
        'latest',
        '"latest" is no version: three numbers, for example "0.30.1".',
        'Pin one released version, so that the same commit always runs the same software.',
      ],
      [
        '0.30',
        '"0.30" is no version: three numbers, for example "0.30.1".',
        'Pin one released version, so that the same commit always runs the same software.',
      ],
      [
        '0.30.01',
        '"0.30.01" is no version: three numbers, for example "0.30.1".',
        'Pin one released version, so that the same commit always runs the same software.',
      ],
      ['0.19.10', 'vCluster 0.19.10 is older than 0.20; its configuration has another form.', 'Use 0.20.0 or later.'],
    ],
  ],
  [
    'a version',
    versionFault,
    ['1.2.3'],
    [
      [
        '1.2.3+build',
        '"1.2.3+build" is no version: three numbers, for example "0.30.1".',
        'Pin one released version, so that the same commit always runs the same software.',
      ],
    ],
  ],
  [
    'a chart version',
    chartVersionFault,
    ['1.2.3', 'v1.2.3', '1.2.3+up1', '1.2.3-rc.1'],
    [
      [
        '^1.2.3',
        '"^1.2.3" does not pin one chart version.',
        'Write one version, for example "1.4.2": a range would change what is rendered without a commit.',
      ],
      [
        '1.x',
        '"1.x" does not pin one chart version.',
        'Write one version, for example "1.4.2": a range would change what is rendered without a commit.',
      ],
    ],
  ],
  [
    'an https URL',
    httpsUrlFault,
    ['https://a.example.edu', 'https://a.example.edu:6443/x'],
    [
      [
        'http://a.example.edu',
        '"http://a.example.edu" is no URL that can be used here: it must begin with "https://".',
        'Use https.',
      ],
      [
        'a.example.edu',
        '"a.example.edu" is no URL that can be used here: it cannot be read.',
        'Write for example "https://host.example.edu".',
      ],
      [
        'https://a b',
        '"https://a b" is no URL that can be used here: it cannot be read.',
        'Write for example "https://host.example.edu".',
      ],
      [
        'https://u:p@a.edu/x',
        'The URL for "a.edu" holds a password; the state is public to everybody who can read the repository.',
        'Write "https://a.edu/x" and put the credentials into a Secret. Change the password.',
      ],
    ],
  ],
  [
    'a public URL',
    originUrlFault,
    ['https://a.example.edu', 'https://a.example.edu/'],
    [
      [
        'https://a.example.edu/x',
        '"https://a.example.edu/x" is no URL that can be used here: only scheme, host and port are allowed.',
        'Write "https://a.example.edu".',
      ],
      [
        'ftp://a.example.edu',
        '"ftp://a.example.edu" is no URL that can be used here: it must begin with "https://".',
        'Use https.',
      ],
    ],
  ],
  [
    'a git URL',
    gitUrlFault,
    [
      'https://git.example.edu/a.git',
      'ssh://git@git.example.edu/a.git',
      'git@git.example.edu:a/b.git',
      'file:///srv/a.git',
    ],
    [
      [
        'ftp://git.example.edu/a',
        '"ftp://git.example.edu/a" is no URL that can be used here: git is not fetched over "ftp".',
        'Use https or ssh.',
      ],
      [
        'a/b',
        '"a/b" is no URL that can be used here: it cannot be read.',
        'Write for example "https://git.example.edu/platform/state.git".',
      ],
    ],
  ],
  [
    'a chart repository',
    repositoryUrlFault,
    ['https://charts.example.edu', 'oci://registry.example.edu/charts'],
    [
      [
        'ssh://charts.example.edu',
        '"ssh://charts.example.edu" is no URL that can be used here: Helm fetches over https and oci.',
        'Use https.',
      ],
      [
        'charts',
        '"charts" is no URL that can be used here: it cannot be read.',
        'Write for example "https://charts.example.edu".',
      ],
    ],
  ],
  [
    'a time zone',
    timeZoneFault,
    ['Europe/Berlin', 'UTC', 'Etc/UTC', 'America/Argentina/Buenos_Aires', 'US/Eastern'],
    [
      ['europe/berlin', '"europe/berlin" is no time zone of the IANA database.', 'Did you mean "Europe/Berlin"?'],
      ['Europe/Berln', '"Europe/Berln" is no time zone of the IANA database.', 'Did you mean "Europe/Berlin"?'],
      ['Berlin', '"Berlin" is no time zone of the IANA database.', 'Did you mean "Europe/Berlin"?'],
      ['+01:00', '"+01:00" is no time zone of the IANA database.', 'Write for example "Europe/Berlin".'],
      ['Local', '"Local" is no time zone of the IANA database.', 'Write for example "Europe/Berlin".'],
    ],
  ],
  [
    'a selector',
    selectorFault,
    [
      'app=shop',
      'app==shop,tier!=web',
      'tier in (web, worker)',
      'tier notin (a),!legacy, app',
      'example.edu/x=true',
      'a=',
    ],
    [
      [
        '',
        'An empty selector selects every object of these kinds.',
        'Select by a label that only this component carries, for example "app.kubernetes.io/part-of=shop".',
      ],
      [
        'app = a b',
        '"app = a b" is no label selector: "app = a b" cannot be read.',
        'Write for example "app=shop,tier in (web, worker)".',
      ],
      [
        'a=b,',
        '"a=b," is no label selector: "" cannot be read.',
        'Write for example "app=shop,tier in (web, worker)".',
      ],
      [
        '-a=b',
        '"-a=b" is no label selector: "-a" is no label key.',
        'Write for example "app=shop,tier in (web, worker)".',
      ],
      [
        'a=-',
        '"a=-" is no label selector: "-" is no label value.',
        'Write for example "app=shop,tier in (web, worker)".',
      ],
    ],
  ],
  [
    'a resource of a container',
    resourceNameFault,
    ['cpu', 'memory', 'ephemeral-storage', 'hugepages-2Mi', 'nvidia.com/gpu'],
    [
      ['cpus', '"cpus" is no container resource that Kubernetes knows.', 'Did you mean "cpu"?'],
      [
        'disk',
        '"disk" is no container resource that Kubernetes knows.',
        'Use one of cpu, memory, ephemeral-storage, or a name with a domain.',
      ],
      [
        'Nvidia_/gpu',
        '"Nvidia_/gpu" is no valid key: the prefix "Nvidia_" is no DNS name.',
        'Write it as "name" or "example.edu/name".',
      ],
    ],
  ],
  [
    'a quota',
    quotaNameFault,
    [
      'requests.cpu',
      'pods',
      'count/deployments.apps',
      'gold.storageclass.storage.k8s.io/requests.storage',
      'requests.nvidia.com/gpu',
      'requests.hugepages-1Gi',
    ],
    [['request.cpu', '"request.cpu" is no quota that Kubernetes knows.', 'Did you mean "requests.cpu"?']],
  ],
];

describe.each(grammars)('%s', (_, grammar, taken, refused) => {
  it.each(taken)('may be %j', (text) => {
    expect(grammar(text)).toBeUndefined();
  });

  it.each(refused)('may not be %j', (text, message, remedy) => {
    expect(grammar(text)).toMatchObject({ message, remedy });
  });

  it('is checked without an exception, whatever the text', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.string({ unit: 'grapheme' })), (text) => void grammar(text)));
  });
});

it.each([
  ['alpine', true],
  ['alpine:latest', true],
  ['alpine:3.20', false],
  [`alpine@sha256:${'0'.repeat(64)}`, false],
  ['registry.example.edu:5000/alpine', true],
  ['No Image', false],
])('%s can change by itself: %s', (image, expected) => {
  expect(isFloatingImage(image)).toBe(expected);
});

it('labels are checked key by key', () => {
  expect(
    labelsFaults({ ok: 'fine', '-bad': 'fine', good: 'not fine' }).map(({ code, path, on }) => [code, path, on]),
  ).toEqual([
    ['label-key-invalid', ['-bad'], 'key'],
    ['label-value-invalid', ['good'], undefined],
  ]);
});

it('annotations are measured in bytes', () => {
  expect(annotationsFaults({ a: 'ä'.repeat(131_071) })).toEqual([]);
  expect(annotationsFaults({ a: `${'ä'.repeat(131_071)}😀` })).toEqual([
    {
      code: 'annotations-too-large',
      message: 'The annotations have 262147 bytes together; Kubernetes takes 262144.',
      remedy: 'Move the large values into a ConfigMap.',
    },
  ]);
});

it.each([
  ['90d', 7_776_000, '90d'],
  ['2w', 1_209_600, '14d'],
  ['36h', 129_600, '36h'],
  ['90m', 5400, '90m'],
  ['61s', 61, '61s'],
])('%s is %d seconds, which is written as %s', (text, seconds, written) => {
  expect(toSeconds(text)).toBe(seconds);
  expect(durationText(seconds)).toBe(written);
});

it('a value in a message can neither steer a terminal nor turn the text around', () => {
  expect(shown('\u001b[31mred\u202e\u0085')).toBe('"\\u001b[31mred\\u202e\\u0085"');
  expect(shown('x'.repeat(100))).toBe(`"${'x'.repeat(80)}…"`);
});
