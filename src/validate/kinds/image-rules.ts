import { at, type DataPath, type Finding, type Origin } from '../finding.ts';
import { shown } from '../grammar/fault.ts';
import { isFloatingImage } from '../grammar/image.ts';

export function imageFindings(image: string, origin: Origin, path: DataPath): Finding[] {
  if (!isFloatingImage(image)) return [];
  return [
    {
      code: 'image-floating',
      at: at(origin, path),
      message: `${shown(image)} names no fixed version, so what runs can change without a commit.`,
      remedy: 'Pin a tag, or better a digest.',
    },
  ];
}
