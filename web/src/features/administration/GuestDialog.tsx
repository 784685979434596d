import { useState } from 'preact/hooks'
import type { ChannelId } from '#shared/domain/units.ts'
import { FormDialog } from '../../common/FormDialog.tsx'
import { useSubmit } from '../../common/use-submit.ts'
import { strings } from '../../i18n/i18n.ts'
import { makeGuest } from '../../net/requests/administration.ts'
import { act } from './act.ts'
import { ChannelChooser } from './ChannelChooser.tsx'

/** The public channels that somebody keeps as a guest. */
export function GuestDialog({ name, close }: { name: string; close: () => void }) {
  const [channels, setChannels] = useState<ChannelId[]>([])
  const texts = strings.administration
  const form = useSubmit({ send: () => act(() => makeGuest(name, channels), name), done: close })
  return (
    <FormDialog title={texts.makeGuest(name)} close={close} form={form} label={texts.makeGuestShort} narrow>
      <p class="dialog-text">{texts.guestMore}</p>
      <ChannelChooser legend={texts.keeps} chosen={channels} onChange={setChannels} />
    </FormDialog>
  )
}
