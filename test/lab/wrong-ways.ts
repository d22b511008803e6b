import { BASE_WAYS } from './wrong-bases.ts'
import { HEADER_WAYS } from './wrong-headers.ts'
import { VALUE_WAYS, type Way } from './wrong-values.ts'

/** A way of signing wrongly, by the cause that must be named first. */
export const WAYS: readonly Way[] = [...HEADER_WAYS, ...VALUE_WAYS, ...BASE_WAYS]
