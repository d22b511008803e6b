/** Nobody answers at the address of a profile; one sentence with its cure. */
export class Unreachable extends Error {}
