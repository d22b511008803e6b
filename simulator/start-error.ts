/** A start that cannot succeed, told in one sentence with its cure; the command prints it and exits with 2. */
export class StartError extends Error {}
