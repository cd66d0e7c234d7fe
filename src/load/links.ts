import type { Finding } from '../validate/finding.ts';
import { isReadable, type Source } from './tree.ts';

/** Sources that are there and cannot be had. */
export function barredFindings(sources: readonly Source[]): Finding[] {
  const barred = sources.filter((source) => !isReadable(source));
  return [...linkFindings(barred), ...refusedFindings(barred)];
}

function refusedFindings(sources: readonly Source[]): Finding[] {
  return sources.flatMap(({ path, refused }): Finding[] =>
    refused === undefined
      ? []
      : [
          {
            code: 'file-unreadable',
            at: { kind: 'file', file: path },
            message: `${path} cannot be read: ${refused}.`,
            remedy: 'Give yourself the right to read it, or restore it from git.',
          },
        ],
  );
}

/** Links that are never followed: what is compiled must be what was reviewed. */
function linkFindings(sources: readonly Source[]): Finding[] {
  return sources
    .filter((source) => source.link !== undefined)
    .map(({ path, link }) => ({
      code: 'link-leaves-state',
      at: { kind: 'file', file: path },
      message:
        link === 'outside'
          ? `${path} is a symbolic link that leads out of state/.`
          : `${path} is a symbolic link that leads to no file of state/.`,
      remedy: 'Replace the link by the file itself.',
    }));
}
