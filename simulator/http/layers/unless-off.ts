import type { Guard } from '../../options.ts'
import type { Layer } from '../call.ts'

/** A layer that calls need not pass where it is switched off; `instead` finds out what it would have found out (D-70). */
export const unlessOff =
  (guard: Guard, layer: Layer, instead: Layer = () => undefined): Layer =>
  call =>
    call.off.includes(guard) ? instead(call) : layer(call)
