import { expect, test } from 'vitest'
import { read } from '../tidy/sources.ts'

const CLASSIC = /^(ARG|FROM|WORKDIR|COPY|RUN|ENV|USER|VOLUME|EXPOSE|HEALTHCHECK|ENTRYPOINT|CMD) /
const NEWER = /<<|--link|--start-interval|RUN --/
const NEVER_INSIDE = ['.git', '.assay', '.env', 'dist', 'node_modules', 'test']

const lines = read('Dockerfile')
  .replace(/^#.*\n/gm, '')
  .replaceAll('\\\n', '')
  .split('\n')
  .filter(Boolean)
const image = lines.slice(lines.findLastIndex(line => line.startsWith('FROM ')))
const said = (word: string) =>
  image.filter(line => line.startsWith(`${word} `)).map(line => line.slice(word.length + 1))

test('the Dockerfile keeps to the classic syntax that every builder reads', () => {
  expect(read('Dockerfile')).not.toMatch(/^# *syntax=/m)
  expect(lines.filter(line => !CLASSIC.test(line) || NEWER.test(line))).toEqual([])
})

test('the image runs as a numbered user that is not root, and any user may keep data in its folder', () => {
  expect(said('USER')).toEqual([expect.stringMatching(/^[1-9]\d*(:[1-9]\d*)?$/)])
  expect(said('VOLUME')).toEqual(['/data'])
  expect(said('RUN').join()).toContain('mkdir -m 1777 /data')
})

test('the image asks its own command for its health, soon after the start', () => {
  const [health] = said('HEALTHCHECK')
  expect(health).toContain('CMD ["node", "dist/bin/assay.js", "health"]')
  expect(Number(/--interval=(\d+)s/.exec(health ?? '')?.[1])).toBeLessThanOrEqual(5)
  expect(health).not.toContain('--start-period')
})

test('the pages are the first port, and the container obeys signals itself', () => {
  expect(said('EXPOSE')).toEqual(['8080 8443'])
  expect(said('ENTRYPOINT')).toEqual(['["node", "dist/bin/assay.js"]'])
  expect(said('CMD')).toEqual(['["serve"]'])
})

test('no tool that builds gets into the image', () => {
  expect(said('RUN').join()).not.toMatch(/apt|npm |tsc|make|gcc|python/)
  expect(said('RUN').join()).toContain('rm -rf /usr/local/lib/node_modules')
  const modules = lines.filter(line => line.startsWith('RUN npm ci') && line.includes('--omit=dev'))
  expect(modules).toHaveLength(1)
  expect(modules[0]).toMatch(/--omit=optional --ignore-scripts/)
})

test('only what the image is made of reaches the builder', () => {
  const [first, ...admitted] = read('.dockerignore')
    .split('\n')
    .filter(line => line && !line.startsWith('#'))
  expect(first).toBe('*')
  expect(admitted.filter(line => !line.startsWith('!') || NEVER_INSIDE.includes(line.slice(1)))).toEqual([])
  const copied = lines.flatMap(line => /^COPY (?!--from)(.+) \S+$/.exec(line)?.[1]?.split(' ') ?? [])
  expect(admitted.map(line => line.slice(1)).sort()).toEqual(
    [...new Set(copied.map(path => path.split('/')[0]))].sort(),
  )
})
