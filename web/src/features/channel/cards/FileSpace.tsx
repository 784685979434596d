import { part } from '../../../ui/part.ts'
import type { FileProps } from './FileCard.tsx'

export const fileCard = part<typeof import('./FileCard.tsx')>()

/** A file that is no picture. Its code is fetched with the first one, into a space of its height. */
export function FileSpace(props: FileProps) {
  const Card = fileCard.get('FileCard')
  return Card ? <Card {...props} /> : <div class="file-space" />
}
