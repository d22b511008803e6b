import { readFileSync } from 'node:fs'

const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')

type Named = Record<string, string>
type Locked = { version: string; license?: string; dev?: true; devOptional?: true } & {
  [group in (typeof GROUPS)[number]]?: Named
}

const GROUPS = ['dependencies', 'optionalDependencies', 'peerDependencies'] as const

export type Library = { name: string; version: string; licence: string; why: string }

/** Licences that let everybody use, change and pass on, and ask at most for their own text. */
export const FREE_LICENCES = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'Unlicense'] as const

const nameOf = (path: string): string => path.replace(/^.*node_modules\//, '')

/** The reasons of docs/dependencies.md, by library. */
const reasons = (): ReadonlyMap<string, string> =>
  new Map(
    Array.from(read('docs/dependencies.md').matchAll(/^- `([^`]+)`: (.+)$/gm), ([, name = '', why = '']) => [
      name,
      why,
    ]),
  )

/** Everything that is installed to run Assay, from package-lock.json: what it is, under which licence, for whom. */
export const libraries = (): Library[] => {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }
  const installed = Object.entries(packages).filter(
    ([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional,
  )
  const direct = reasons()
  return installed.map(([path, { version, license = 'none' }]) => {
    const name = nameOf(path)
    const users = installed
      .filter(([, one]) => GROUPS.some(group => one[group]?.[name] !== undefined))
      .map(([one]) => nameOf(one))
    const why = direct.get(name) ?? `for ${users.map(user => `\`${user}\``).join(', ')}`
    return { name, version, licence: license, why }
  })
}

/** docs/licences.md: what is installed, and on what terms. */
export const licencesPage = (): string => {
  const all = libraries()
  const rows = all.map(({ name, version, licence, why }) => `| \`${name}\` | ${version} | ${licence} | ${why} |`)
  return `# Licences of what is installed

\`npm ci --omit=dev\` installs these ${all.length} packages, read from \`package-lock.json\`; a test holds every licence to
${FREE_LICENCES.join(', ')}. Why we chose each, and what only developing needs, is in [dependencies.md](dependencies.md).
Whether one of them has a known fault is asked of the registry, where the network lets you:

\`\`\`sh
npm audit --omit=dev
\`\`\`

| Package | Version | Licence | Why |
|---|---|---|---|
${rows.join('\n')}
`
}
