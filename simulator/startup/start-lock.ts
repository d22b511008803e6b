import type { Store } from '../store/store.ts'

/** Runs a task of the start that no two replicas may run at the same time. */
export const withStartLock = <Result>(
  { replicas }: Pick<Store, 'replicas'>,
  task: () => Promise<Result>,
): Promise<Result> => (replicas ? replicas.withLock('start', task) : task())
