import { type Fault, shown } from './fault.ts';

const domain =
  '(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*|\\[[0-9a-fA-F:]+\\])(?::[0-9]+)?';
const part = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
/** distribution/reference: `[domain/]path[:tag][@digest]` */
const reference = new RegExp(
  `^(?:${domain}/)?${part}(?:/${part})*(?::([A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?(@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?$`,
);

export function imageFault(text: string): Fault | undefined {
  if (text.length <= 255 && reference.test(text)) return undefined;
  const lower = text.toLowerCase();
  return {
    code: 'image-invalid',
    message: `${shown(text)} is no image reference: [domain/]path[:tag][@digest], the path in lower case.`,
    remedy:
      lower !== text && reference.test(lower)
        ? `Write ${shown(lower)}.`
        : 'Write for example "ghcr.io/example/tool:1.4.2".',
  };
}

/** Neither a digest nor a tag other than `latest`: what runs would change without a commit. */
export function isFloatingImage(text: string): boolean {
  const match = reference.exec(text);
  return match !== null && match[2] === undefined && (match[1] === undefined || match[1] === 'latest');
}
