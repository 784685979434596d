import { useState } from 'preact/hooks'
import type { ChannelId } from '#shared/domain/units.ts'
import { strings } from '../../i18n/i18n.ts'
import { makeGuest } from '../../net/requests/administration.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { act } from './act.ts'
import { ChannelChooser } from './ChannelChooser.tsx'

/** The public channels that somebody keeps as a guest. */
export function GuestDialog({ name, close }: { name: string; close: () => void }) {
  const [channels, setChannels] = useState<ChannelId[]>([])
  const texts = strings.administration
  const title = texts.makeGuest(name)
  return (
    <Dialog label={title} onClose={close} narrow>
      <h2 class="dialog-title">{title}</h2>
      <p class="dialog-text">{texts.guestMore}</p>
      <ChannelChooser legend={texts.keeps} chosen={channels} onChange={setChannels} />
      <div class="dialog-foot">
        <button type="button" class="button" onClick={close}>
          {strings.cancel}
        </button>
        <button
          type="button"
          class="button button-primary"
          onClick={() => void act(() => makeGuest(name, channels), name, close)}
        >
          {texts.makeGuestShort}
        </button>
      </div>
    </Dialog>
  )
}
