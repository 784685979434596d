import { buffer } from 'node:stream/consumers'
import { findReadableFile } from '#shared/access/readable-message.ts'
import { codePreview, languageOf, textOf } from '#shared/domain/code-preview.ts'
import type { CodePreviewPayload } from '#shared/domain/payloads/previews.ts'
import type { Username } from '#shared/domain/units.ts'
import { isStoredName } from '#shared/domain/uploads.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Interface 4.4. */
const MOST_BYTES = 512 * 1024
const MOST_LINES = 1_000

/**
 * The beginning of a stored text file (interface 4.4); undefined, without distinction, if it is not text, too long,
 * gone, or not readable for this viewer.
 */
export async function filePreview(
  stores: Stores,
  viewer: Username,
  name: string,
): Promise<CodePreviewPayload | undefined> {
  const file = isStoredName(name) ? await findReadableFile(stores, viewer, name) : undefined
  if (!file || languageOf(file.originalName) === undefined) return undefined
  const bytes = await readWhole(stores, name)
  const text = bytes && textOf(bytes)
  if (text === undefined) return undefined
  const filename = file.originalName
  return codePreview({
    text,
    filename,
    filepath: filename,
    url: `/files/${name}`,
    mostLines: MOST_LINES,
    context: 0,
  })
}

async function readWhole({ files }: Stores, name: string): Promise<Buffer | undefined> {
  const size = await files.size(name)
  if (size === undefined || size > MOST_BYTES) return undefined
  const bytes = await files.read(name)
  return bytes && (await buffer(bytes))
}
