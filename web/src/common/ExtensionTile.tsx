import { Icon } from '../ui/Icon.tsx'
import './ExtensionTile.css'

/** Longer extensions do not fit on the tile. */
const LONGEST_EXTENSION = 4

/** The kind of a file, as its extension. */
export function ExtensionTile({ name }: { name: string }) {
  const [, extension = ''] = /\.([A-Za-z0-9]+)$/.exec(name) ?? []
  return (
    <span class="extension-tile" aria-hidden="true">
      {(extension.length <= LONGEST_EXTENSION && extension) || <Icon name="file" size={18} />}
    </span>
  )
}
