/**
 * An edit that cannot be made without changing something else, or in a text that cannot be read. The message is one
 * sentence for the person who asked for the edit; what to do is always the same: edit the file by hand.
 */
export class EditRefused extends Error {
  override readonly name = 'EditRefused';
}
