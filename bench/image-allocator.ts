import { readFileSync } from 'node:fs'

const dockerfile = readFileSync(new URL('../Dockerfile', import.meta.url), 'utf8')

/** What the image tells the C library about memory: every server is measured with it, ours and the others. */
export const imageAllocator: NodeJS.ProcessEnv = Object.fromEntries(
  [...dockerfile.matchAll(/\b(MALLOC_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
)
