/** A start that cannot succeed, told in one sentence with its cure; the command prints it and exits with 2. */
export class StartError extends Error {}

const CROWDED = 'Too many files are open: raise the limit, as with "ulimit -n 1024", and start again.'

/** An error as the end of a start where what the system gives this process is the reason, wherever it was met; any other as it is. */
export const asStartError = (error: unknown): unknown =>
  ['EMFILE', 'ENFILE'].includes((error as NodeJS.ErrnoException).code ?? '') ? new StartError(CROWDED) : error
