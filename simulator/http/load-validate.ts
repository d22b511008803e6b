import type { Validate } from './validate.ts'

/** The judge of requests, loaded with all that it needs when it is first asked for: no start waits for it. */
export const loadValidate = (): (() => Promise<Validate>) => {
  let loading: Promise<Validate> | undefined
  return () => {
    loading ??= import('./validate.ts').then(({ createValidate }) => createValidate())
    return loading
  }
}
