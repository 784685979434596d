import { strings } from '../i18n/i18n.ts'
import { privateNamed } from '../store/channels/names.ts'
import { hashOf } from '../store/route.ts'

/** Tells that the viewer is in a private channel of this name already, with the way there. */
export function OwnPrivateHint({ name, close }: { name: string; close: () => void }) {
  const own = privateNamed(name)
  if (own === undefined) return null
  return (
    <>
      {strings.browse.ownPrivate(name.trim())}{' '}
      <a href={hashOf(own)} onClick={close}>
        {strings.browse.openPrivate(name.trim())}
      </a>
    </>
  )
}
