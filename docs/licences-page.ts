import { readFileSync } from 'node:fs'

const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')

type Named = Record<string, string>
type Locked = { version: string; license?: string; dev?: true; devOptional?: true } & {
  [group in (typeof GROUPS)[number]]?: Named
}

const GROUPS = ['dependencies', 'optionalDependencies', 'peerDependencies'] as const

type InstalledPackage = { name: string; version: string; licence: string; why: string }

/** Permissive licences (SPDX identifiers) that installed packages may have. */
export const FREE_LICENCES = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'Unlicense'] as const

const nameOf = (path: string): string => path.replace(/^.*node_modules\//, '')

/** Reads the reason for each dependency from docs/dependencies.md. */
const reasons = (): ReadonlyMap<string, string> =>
  new Map(
    Array.from(read('docs/dependencies.md').matchAll(/^- `([^`]+)`: (.+)$/gm), ([, name = '', why = '']) => [
      name,
      why,
    ]),
  )

/** Lists the installed runtime packages from package-lock.json, with licence and reason. */
export const installedPackages = (): InstalledPackage[] => {
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

/** Returns the text of docs/licences.md: the installed packages and their licences. */
export const licencesPage = (): string => {
  const { license: own } = JSON.parse(read('package.json')) as { license: string }
  const all = installedPackages()
  const rows = all.map(({ name, version, licence, why }) => `| \`${name}\` | ${version} | ${licence} | ${why} |`)
  return `# Licences of installed packages

Assay is licensed under [${own}](../LICENSE), in the npm package and in the image too.
\`npm ci --omit=dev\` installs these ${all.length} packages, read from \`package-lock.json\`; a test allows these licences only:
${FREE_LICENCES.join(', ')}. The reason for each package, and the packages for development, are in [dependencies.md](dependencies.md).
To check for known vulnerabilities, ask the registry:

\`\`\`sh
npm audit --omit=dev
\`\`\`

| Package | Version | Licence | Why |
|---|---|---|---|
${rows.join('\n')}
`
}
