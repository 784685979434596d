import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bucketFault } from '#shared/runtime/bucket-address.ts'
import { openFileStore } from '#shared/stores/files.ts'
import { moveFiles } from '#shared/stores/move-files.ts'
import { type Command, UsageError } from './command.ts'
import { DATA } from './environment.ts'

const USAGE = 'move-files --to ADDRESS [--from ADDRESS] [--delete-source]'

const move: Command = {
  usage: USAGE,
  options: ['to', 'from'],
  flags: ['delete-source'],
  run: async ({ options }) => {
    if (options['to'] === undefined) throw new UsageError(`Usage: npm run admin -- ${USAGE} [--json]`)
    const used = process.env.FILES_URL || pathToFileURL(resolve(DATA, 'files')).href
    const from = addressOf(options['from'] ?? used)
    const to = addressOf(options['to'])
    const deleteSource = options['delete-source'] !== undefined
    if (placeOf(from) === placeOf(to)) throw new Error('Source and target are the same place.')
    if (deleteSource && placeOf(from) === placeOf(used))
      throw new Error(
        'FILES_URL names the source still: set it to the target and restart bothy before its files are deleted.',
      )
    if (from.startsWith('file:') && !existsSync(fileURLToPath(from)))
      throw new Error(`There are no files in ${fileURLToPath(from)}.`)
    const moved = await moveFiles(await openFileStore(from), await openFileStore(to), {
      deleteSource,
      say: ({ copied, there }) => {
        if (process.stderr.isTTY) process.stderr.write(`${copied + there} files\n`)
      },
    })
    const { copied, bytes, there, deleted } = moved
    const lines = [
      `${copied} files (${(bytes / 2 ** 20).toFixed(1)} MiB) copied, ${there} were there; every one has the same SHA-256 at both places.`,
    ]
    if (deleteSource) lines.push(`${deleted} files deleted at the source.`)
    else if (placeOf(used) === placeOf(to)) lines.push(`Nothing was deleted: --delete-source does that.`)
    else
      lines.push(
        `Now set FILES_URL=${to} for api, previews-pictures and janitor, and restart them.`,
        `Then run move-files --from ${from} --to ${to} once more, for what people stored meanwhile. Nothing was deleted.`,
      )
    return { text: lines.join('\n'), json: { from, to, ...moved } }
  },
}

/** A path is a folder. */
function addressOf(text: string): string {
  if (text.startsWith('file://')) return text
  if (!text.startsWith('s3:')) return pathToFileURL(resolve(text)).href
  const fault = bucketFault(text)
  if (fault !== undefined) throw new Error(`${text}: ${fault}.`)
  return text
}

/** Without settings and the slash at the end. */
const placeOf = (address: string): string => {
  const { protocol, host, pathname, searchParams } = new URL(address)
  return `${protocol}//${host}${pathname.replace(/\/+$/, '')} ${searchParams.get('endpoint') ?? ''}`
}

export const fileCommands: Record<string, Command> = { 'move-files': move }
