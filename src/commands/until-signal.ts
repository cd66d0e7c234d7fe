/** In place of handlers that end the process at once. The second signal finds none, and the system ends it. */
export function untilSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.removeAllListeners(signal);
    process.once(signal, () => stop.abort());
  }
  return stop.signal;
}
