import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { ROOT } from '#shared/runtime/config.ts'
import { endWithParent, reportAndExit } from '../run/terminal.ts'

/**
 * `npm run pin-images`: writes the present digest of each image by others into the Dockerfile, the Compose files and the
 * examples for Kubernetes (`caddy:2@sha256:…`), and prints what changed; the commit of a release has them. `--remove` leaves
 * the tags alone, as on main, where an image under the tag may be any. Asks the registries by `docker buildx`, pulls
 * nothing.
 */

const run = promisify(execFile)
export const PINNED_FILES = [
  'docker-compose.yml',
  'infra/Dockerfile',
  'infra/observe/compose.observe.yml',
  'infra/kubernetes/examples/cloudnative-pg.yaml',
  'infra/kubernetes/examples/valkey.yaml',
]
/** Before the image, its name with a tag, its digest. Images of the build's own stages and our own have no tag here. */
const REFERENCE =
  /^(FROM |\s*image(?:Name)?: )([a-z0-9][\w.-]*(?::\d+)?(?:\/[\w.-]+)*:[\w.-]+)(@sha256:[0-9a-f]{64})?(?=\s|$)/gm

export const imagesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(REFERENCE)].map(([, , image]) => image!)),
]

/** Returns the text with the digests of `digests`, by name with tag; an image that is not there has none. */
export const pinned = (text: string, digests: ReadonlyMap<string, string>): string =>
  text.replace(REFERENCE, (_, before: string, image: string) => {
    const digest = digests.get(image)
    return `${before}${image}${digest === undefined ? '' : `@${digest}`}`
  })

export const unpinned = (text: string): string => pinned(text, new Map())

/** Asks the registry for the digest of an image. Throws if it is for one kind of processor only. */
export async function digestOf(image: string): Promise<string> {
  const args = ['buildx', 'imagetools', 'inspect', image, '--raw']
  const { stdout } = await run('docker', args, { encoding: 'buffer' })
  const { manifests } = JSON.parse(stdout.toString()) as { manifests?: unknown }
  if (!Array.isArray(manifests)) throw new Error(`${image} is for one kind of processor only.`)
  return `sha256:${createHash('sha256').update(stdout).digest('hex')}`
}

/** Writes all files, or none if a registry does not know an image. Returns the files that changed. */
async function pinFiles(isRemoval: boolean): Promise<string[]> {
  const texts = await Promise.all(PINNED_FILES.map(file => readFile(join(ROOT, file), 'utf8')))
  const images = isRemoval ? [] : [...new Set(texts.flatMap(imagesIn))]
  const digests = new Map<string, string>()
  for (const image of images) digests.set(image, await digestOf(image))
  const changed: string[] = []
  for (const [i, file] of PINNED_FILES.entries()) {
    const text = pinned(texts[i]!, digests)
    if (text === texts[i]) continue
    await writeFile(join(ROOT, file), text)
    changed.push(file)
  }
  return changed
}

if (import.meta.main) {
  endWithParent()
  const changed = await pinFiles(process.argv.includes('--remove')).catch(reportAndExit)
  console.log(changed?.length ? `Changed: ${changed.join(', ')}.` : 'No file was changed.')
  process.exit()
}
