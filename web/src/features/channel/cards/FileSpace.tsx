import { lazyComponent } from '../../../ui/lazy.tsx'
import type { FileProps } from './FileCard.tsx'

const FileCard = lazyComponent<FileProps>(() => import('./file-cards.ts').then(module => module.FileCard))

/** A file that is no picture. Its code is fetched with the first one, into a space of its height. */
export function FileSpace(props: FileProps) {
  const Card = FileCard.get()
  return Card ? <Card {...props} /> : <div class="file-space" />
}
