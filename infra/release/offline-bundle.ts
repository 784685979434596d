import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import process from 'node:process'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGzip } from 'node:zlib'
import { ROOT } from '#shared/runtime/config.ts'
import { VERSION } from '#shared/runtime/version.ts'
import { commitOfClone } from '../run/commit-of-clone.ts'
import { endWithParent, reportAndExit } from '../run/terminal.ts'
import { PINNED_FILES, unpinned } from './pin-images.ts'

/**
 * `npm run bundle [folder]`: writes a folder that installs bothy on a machine without internet. It holds the images of the
 * Compose files (those named by COMPOSE_FILE, or docker-compose.yml), the files an operator needs, the SBOM, checksums
 * and install.sh. Needs a container engine with BuildKit, and pulls images that are missing.
 */

const run = promisify(execFile)
const MANY_BYTES = 16 * 1024 * 1024
/** As in docker-compose.yml. */
const IMAGE = process.env['BOTHY_IMAGE'] ?? 'bothy'
/** `/version` of the installation has the commit. */
const env = { BOTHY_COMMIT: commitOfClone(), ...process.env }
const IMAGES = 'images.tar.gz'
const SUMS = 'SHA256SUMS'

/** Files and folders of the repository that an installation by Compose or Helm reads. */
const COPIED = [
  'docker-compose.yml',
  'infra/Caddyfile',
  'infra/certificate',
  'infra/compose.external.yml',
  'infra/compose.https.yml',
  'infra/compose.office.yml',
  'infra/env.example',
  'infra/compose.bucket.yml',
  'infra/kubernetes/chart',
  'infra/kubernetes/examples',
  'infra/observe',
  'infra/new-passwords.sh',
  'infra/settings',
  'infra/upgrade.sh',
  'infra/README.md',
  'docs/operations.md',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'THIRD-PARTY-LICENSES.md',
]

export async function writeOfflineBundle(folder: string, log: (line: string) => void): Promise<void> {
  await mkdir(folder, { recursive: true })
  if ((await readdir(folder)).length > 0) throw new Error(`The folder ${folder} is not empty.`)
  const images = await imagesOfCompose(log)
  for (const path of COPIED) {
    const to = join(folder, path)
    await mkdir(dirname(to), { recursive: true })
    await cp(join(ROOT, path), to, { recursive: true })
  }
  // `docker save` keeps no digests; the checksums below stand for them.
  for (const path of PINNED_FILES.filter(file => file.endsWith('.yml')))
    await writeFile(join(folder, path), unpinned(await readFile(join(ROOT, path), 'utf8')))
  await copyFile(join(import.meta.dirname, 'install.sh'), join(folder, 'install.sh'))
  await chmod(join(folder, 'install.sh'), 0o755)
  const { stdout: sbom } = await docker('run', '--rm', '--network', 'none', IMAGE, 'cat', 'sbom.cdx.json')
  await writeFile(join(folder, 'sbom.cdx.json'), sbom)
  await writeFile(join(folder, 'image-name'), `${IMAGE}\n`)
  log(`saving ${images.join(', ')}`)
  await saveImages(images, join(folder, IMAGES))
  await writeFile(join(folder, SUMS), await checksumsOf(folder))
}

/** Builds and pulls the images that are missing, and returns the names of all. */
async function imagesOfCompose(log: (line: string) => void): Promise<string[]> {
  const { stdout } = await docker('compose', 'config', '--images')
  const images = [...new Set(stdout.split('\n').filter(Boolean))].sort()
  log('building the image of bothy')
  await docker('compose', 'build', '--quiet')
  for (const image of images) {
    const isHere = await docker('image', 'inspect', image).catch(() => undefined)
    if (!isHere) {
      log(`pulling ${image}`)
      await docker('pull', '--quiet', image)
    }
    if (image !== tagOf(image)) await docker('tag', image, tagOf(image))
  }
  return images.map(tagOf)
}

/** `caddy:2` of `caddy:2@sha256:…`. */
const tagOf = (image: string) => image.split('@')[0]!

const docker = (...args: string[]) => run('docker', args, { cwd: ROOT, env, maxBuffer: MANY_BYTES })

async function saveImages(images: string[], file: string): Promise<void> {
  const child = spawn('docker', ['save', ...images], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [[code]] = await Promise.all([
    once(child, 'close'),
    pipeline(child.stdout, createGzip({ level: 1 }), createWriteStream(file)),
  ])
  if (code !== 0) throw new Error(`docker save ended with ${code}`)
}

/** In the format of sha256sum, sorted by path. */
async function checksumsOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  let sums = ''
  for (const file of files.sort()) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(file), hash)
    sums += `${hash.digest('hex')}  ${relative(folder, file)}\n`
  }
  return sums
}

if (import.meta.main) {
  endWithParent()
  const folder = resolve(process.argv[2] ?? `bothy-${VERSION}-${process.arch}`)
  await writeOfflineBundle(folder, console.log).catch(async err => {
    await rm(join(folder, IMAGES), { force: true })
    return reportAndExit(err)
  })
  console.log(`The bundle is ready: ${folder}. On the other machine, run install.sh in it.`)
  process.exit()
}
