import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#shared/runtime/config.ts'

/** `node infra/tools/third-party-licenses.ts`: writes THIRD-PARTY-LICENSES.md from the lockfile and the installed packages. */

export const LICENSES_FILE = join(ROOT, 'THIRD-PARTY-LICENSES.md')

interface Locked {
  version: string
  license?: string
  dev?: boolean
  optional?: boolean
  dependencies?: Record<string, string>
}

interface Package {
  name: string
  version: string
  license: string
  isOptional: boolean
}

/** Packages whose metadata names the licence in a form that the lockfile does not copy. */
const NAMED_ELSEWHERE: Record<string, string> = { busboy: 'MIT', streamsearch: 'MIT' }

const FOLDER = 'node_modules/'

/** The text of the file. The same lockfile gives the same text on every machine. */
export function thirdPartyLicenses(): string {
  const locked = (
    JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }
  ).packages
  const all = Object.entries(locked).filter(([path, { dev }]) => path.startsWith(FOLDER) && !dev)
  const inClient = clientPackages(locked)
  const packages = new Map(
    all.map(([path, entry]) => [`${nameOf(path)} ${entry.version}`, read(path, entry)]),
  )
  const sorted = [...packages.values()].sort(byName)
  const isInClient = ({ name }: Package) => inClient.has(name)
  return `# Third-party licences

Generated from \`package-lock.json\` by \`node infra/tools/third-party-licenses.ts\`; a test compares it.

## The client

Browsers receive these packages, compiled into the files of \`web/dist\`. Their licence texts follow the table.

${tableOf(sorted.filter(isInClient))}

${textsOf(sorted.filter(isInClient))}

## The server

Each package brings its licence text in its folder in \`node_modules\`, which the image contains. Packages marked with * are optional: npm
installs those of the platform. The libvips libraries of \`sharp\` are linked dynamically and may be replaced.

${tableOf(sorted.filter(found => !isInClient(found)))}
`
}

const nameOf = (path: string) => path.slice(path.lastIndexOf(FOLDER) + FOLDER.length)

function read(path: string, { version, license, optional }: Locked): Package {
  const name = nameOf(path)
  const found = license ?? NAMED_ELSEWHERE[name]
  if (found === undefined) throw new Error(`the lockfile names no licence of ${name}`)
  return { name, version, license: found, isOptional: optional === true }
}

const byName = (a: Package, b: Package) => (a.name === b.name ? 0 : a.name < b.name ? -1 : 1)

/** The package of an import in TypeScript or CSS, and of the JSX runtime. */
const IMPORTED = /(?:\bfrom|\bimport|importSource:)\s*\(?\s*['"]((?:@[\w.-]+\/)?[\w.-]+)(?:\/[\w./-]*)?['"]/g

/** Packages that the client imports, with their dependencies; packages of types disappear in the build. */
function clientPackages(locked: Record<string, Locked>): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (name: string) => {
    const entry = locked[FOLDER + name]
    if (found.has(name) || !entry || entry.dev || name.startsWith('@types/')) return
    found.add(name)
    for (const dependency of Object.keys(entry.dependencies ?? {})) visit(dependency)
  }
  const sources = globSync(['web/emoji-table.ts', 'web/src/**/*.{ts,tsx,css}', 'web/vite.config.ts'], {
    cwd: ROOT,
  })
  for (const file of sources.filter(name => !name.endsWith('.test.ts'))) {
    const source = readFileSync(join(ROOT, file), 'utf8')
    for (const [, name] of source.matchAll(IMPORTED)) visit(name!)
  }
  return found
}

function tableOf(packages: Package[]): string {
  const rows = packages.map(
    ({ name, version, license, isOptional }) =>
      `| ${name}${isOptional ? ' \\*' : ''} | ${version} | ${license} |`,
  )
  return ['| Package | Version | Licence |', '| --- | --- | --- |', ...rows].join('\n')
}

function textsOf(packages: Package[]): string {
  return packages
    .map(({ name }) => {
      const folder = join(ROOT, FOLDER, name)
      const file = readdirSync(folder).find(entry => /^licen[cs]e/i.test(entry))
      if (file === undefined) throw new Error(`${name} has no licence file`)
      const text = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim()
      return `### ${name}\n\n\`\`\`text\n${text}\n\`\`\``
    })
    .join('\n\n')
}

if (import.meta.main) writeFileSync(LICENSES_FILE, thirdPartyLicenses())
