import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const EXAMPLES = join(import.meta.dirname, '../../examples')
const VECTORS = join(import.meta.dirname, 'vectors')

/** Result of running an example program: what it wrote, and its exit code. */
export type Told = { code: number; stdout: string; stderr: string }

/** A program: its command with arguments, and the folder in which it runs. */
type Program = { command: string; argv: readonly string[]; cwd?: string }

/**
 * A language of the example programs: the command that tells whether it is here, and how its example and its test
 * vectors are run.
 */
export type ExampleLanguage = {
  language: string
  probe: Command
  /** The command that prints its version. */
  version: Command
  /** What is missing where it is not here. */
  missing: string
  example: Make
  /** The same program compiled, where that saves time in many runs. */
  compiled?: Make
  vectors: Make
}

type Command = readonly [command: string, ...argv: string[]]

/** Makes a program ready to run, in a new folder where it needs one. */
type Make = (newFolder: () => string) => Program

const interpreted = (command: string, example: string, driver: string): { example: Make; vectors: Make } => ({
  example: () => ({ command, argv: [join(EXAMPLES, example)] }),
  vectors: () => ({ command, argv: [join(VECTORS, driver), join(EXAMPLES, example)] }),
})

/** Copies files into one folder, where a compiler wants them. */
const together = (folder: string, ...files: readonly string[]): string => {
  for (const file of files) cpSync(file, join(folder, file.split('/').at(-1) ?? ''))
  return folder
}

/** Makes a project of the installed .NET of C# files, of which one holds Main. */
const dotnet =
  (main: string, ...files: readonly string[]): Make =>
  newFolder => {
    const cwd = together(newFolder(), ...files)
    const version = spawnSync('dotnet', ['--version'], { encoding: 'utf8' }).stdout.split('.')[0]
    const lines = `<OutputType>Exe</OutputType><TargetFramework>net${version}.0</TargetFramework><Nullable>enable</Nullable>
    <ImplicitUsings>enable</ImplicitUsings><StartupObject>${main}</StartupObject>`
    const project = `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup>${lines}</PropertyGroup></Project>`
    writeFileSync(join(cwd, 'example.csproj'), project)
    return { command: 'dotnet', argv: ['run', '--project', cwd, '--'], cwd }
  }

/** Of a short run: without the compiler for long ones, and with the cheapest garbage collector. */
const SHORT = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']

/** Where a compiler puts a program, once per worker of a run. */
const compiledAt = (language: string): string =>
  join(process.env.ASSAY_TEST_RUN_FOLDER ?? '', `${language}-${process.pid}`)

const compiledJava =
  (main: string): Make =>
  () => {
    const out = compiledAt('java')
    const sources = [join(EXAMPLES, 'FirstPayment.java'), join(VECTORS, 'Vectors.java')]
    if (!existsSync(out)) spawnSync('javac', [...SHORT.map(flag => `-J${flag}`), '-d', out, ...sources])
    return { command: 'java', argv: [...SHORT, '-cp', out, main] }
  }

const compiledGo: Make = () => {
  const command = compiledAt('go')
  if (!existsSync(command)) spawnSync('go', ['build', '-o', command, join(EXAMPLES, 'first_payment.go')])
  return { command, argv: [] }
}

const goFolder = (folder: string) => together(folder, join(EXAMPLES, 'first_payment.go'), join(VECTORS, 'vectors.go'))

/** Languages of the programs of examples/ that need nothing of this project. */
export const EXAMPLE_LANGUAGES: readonly ExampleLanguage[] = [
  {
    language: 'shell',
    probe: ['jq', '--version'],
    version: ['bash', '--version'],
    missing: 'jq is not on this machine',
    ...interpreted('bash', 'first-payment.sh', 'vectors.sh'),
  },
  {
    language: 'Python',
    probe: ['python3', '-c', 'import cryptography'],
    version: ['python3', '--version'],
    missing: "Python's package cryptography is not on this machine",
    ...interpreted('python3', 'first_payment.py', 'vectors.py'),
  },
  {
    language: 'Java',
    probe: ['javac', '-version'],
    version: ['java', '--version'],
    missing: 'no JDK is on this machine',
    example: () => ({ command: 'java', argv: [...SHORT, join(EXAMPLES, 'FirstPayment.java')] }),
    compiled: compiledJava('FirstPayment'),
    vectors: compiledJava('Vectors'),
  },
  {
    language: 'PHP',
    probe: ['php', '-r', 'exit(PHP_VERSION_ID >= 80100 && extension_loaded("openssl") ? 0 : 1);'],
    version: ['php', '--version'],
    missing: 'PHP is not on this machine',
    ...interpreted('php', 'first-payment.php', 'vectors.php'),
  },
  {
    language: 'Go',
    probe: ['go', 'version'],
    version: ['go', 'version'],
    missing: 'Go is not on this machine',
    example: () => ({ command: 'go', argv: ['run', join(EXAMPLES, 'first_payment.go')] }),
    compiled: compiledGo,
    vectors: newFolder => ({
      command: 'go',
      argv: ['run', 'first_payment.go', 'vectors.go'],
      cwd: goFolder(newFolder()),
    }),
  },
  {
    language: 'Ruby',
    probe: ['ruby', '-ropenssl', '-e', 'exit RUBY_VERSION >= "3"'],
    version: ['ruby', '--version'],
    missing: 'Ruby is not on this machine',
    ...interpreted('ruby', 'first_payment.rb', 'vectors.rb'),
  },
  {
    language: 'C#',
    probe: ['dotnet', '--version'],
    version: ['dotnet', '--version'],
    missing: '.NET is not on this machine; the program has run on Mono only',
    example: dotnet('FirstPayment', join(EXAMPLES, 'FirstPayment.cs')),
    vectors: dotnet('Vectors', join(EXAMPLES, 'FirstPayment.cs'), join(VECTORS, 'Vectors.cs')),
  },
]

const probed = new Map<string, boolean>()

/** Whether the language of an example is on this machine; where it is not, its tests are skipped. */
export const isInstalled = ({ language, probe: [command, ...argv] }: ExampleLanguage): boolean => {
  const known = probed.get(language) ?? spawnSync(command, argv).status === 0
  probed.set(language, known)
  return known
}

/** Returns the name of an example's test, which says why it is skipped where it is. */
export const titleOf = (language: ExampleLanguage): string =>
  isInstalled(language) ? language.language : `${language.language} (skipped: it is not on this machine)`

/** Runs an example program with further arguments, environment variables and an input. */
export const runProgram = (
  { command, argv, cwd }: Program,
  more: readonly string[],
  environment: Readonly<Record<string, string>>,
  input = '',
): Promise<Told> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, DOTNET_NOLOGO: '1', ...environment }
    const child = spawn(command, [...argv, ...more], { cwd, env, stdio: 'pipe' })
    const told: Told = { code: 0, stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', text => (told.stdout += text))
    child.stderr.setEncoding('utf8').on('data', text => (told.stderr += text))
    child.on('error', reject)
    child.on('close', code => resolve({ ...told, code: code ?? 1 }))
    child.stdin.end(input)
  })
