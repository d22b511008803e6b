/** Error of a start that cannot succeed, with its remedy, in one sentence; the command prints it and exits with 2. */
export class StartError extends Error {}

const TOO_MANY_OPEN_FILES = 'Too many files are open: raise the limit, as with "ulimit -n 1024", and start again.'

/** Maps EMFILE and ENFILE (the limit of open files) to a StartError; any other error stays as it is. */
export const mapOpenFilesError = (error: unknown): unknown =>
  ['EMFILE', 'ENFILE'].includes((error as NodeJS.ErrnoException).code ?? '')
    ? new StartError(TOO_MANY_OPEN_FILES)
    : error
