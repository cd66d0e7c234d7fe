export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  if (seconds < 10) return `${seconds.toFixed(1)}s`;
  if (whole < 60) return `${whole}s`;
  return `${Math.floor(whole / 60)}m ${String(whole % 60).padStart(2, '0')}s`;
}

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
