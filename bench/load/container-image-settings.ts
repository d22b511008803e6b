import { readFileSync } from 'node:fs'

const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8')

/** The `MALLOC_…` variables of the container image: every measured server runs with them. */
export const imageAllocator: NodeJS.ProcessEnv = Object.fromEntries(
  [...dockerfile.matchAll(/\b(MALLOC_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
)

/** The options of Node in the start command of the container image: Assay is measured with them. */
export const imageNodeOptions: readonly string[] = JSON.parse(
  /^ENTRYPOINT (.*)$/m.exec(dockerfile)?.[1] ?? '[]',
).filter((word: string) => word.startsWith('--'))
