/** What a person can mend on the command line; the message is one sentence with its cure. */
export class LabError extends Error {}
