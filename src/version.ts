/** Kept equal to package.json by a test: reading a file at start-up would cost time in every command. */
export const version = '0.1.0';
