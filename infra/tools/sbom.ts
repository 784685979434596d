import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

/**
 * `node sbom.ts <folder>`: prints the SBOM (CycloneDX) of the packages in the folder's node_modules that its lockfile names, but
 * for development. Not `npm sbom`: with --omit=dev that leaves out packages on which one for development depends too.
 */

interface Locked {
  version: string
  license?: string
  integrity?: string
  dev?: boolean
}

interface Component {
  type: 'library' | 'platform'
  'bom-ref': string
  name: string
  version: string
  purl: string
  licenses?: [{ expression: string }]
  hashes?: [{ alg: 'SHA-512'; content: string }]
}

const FOLDER = 'node_modules/'

export function sbomOf(folder: string) {
  const lockfile = readFileSync(join(folder, 'package-lock.json'), 'utf8')
  const { name, version, packages } = JSON.parse(lockfile) as {
    name: string
    version: string
    packages: Record<string, Locked>
  }
  const found = Object.entries(packages).filter(
    // The platform is the package `node` on the computer of `npm start`.
    ([path, { dev }]) => path !== '' && path !== `${FOLDER}node` && !dev && existsSync(join(folder, path)),
  )
  const components = new Map(found.map(([path, entry]) => componentOf(path, entry)).map(toEntry))
  const node = process.versions.node
  const platform: Component = {
    type: 'platform',
    'bom-ref': `node@${node}`,
    name: 'node',
    version: node,
    purl: `pkg:generic/node@${node}`,
  }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': `${name}@${version}`, name, version } },
    components: [platform, ...components.values()],
  }
}

/** The same version may be in several folders. */
const toEntry = (component: Component) => [component['bom-ref'], component] as const

function componentOf(path: string, { version, license, integrity }: Locked): Component {
  const name = path.slice(path.lastIndexOf(FOLDER) + FOLDER.length)
  const hash = integrity?.match(/^sha512-(\S+)/)?.[1]
  return {
    type: 'library',
    'bom-ref': `${name}@${version}`,
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(license !== undefined && { licenses: [{ expression: license }] }),
    ...(hash !== undefined && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }],
    }),
  }
}

if (import.meta.main) console.log(JSON.stringify(sbomOf(process.argv[2] ?? '.')))
