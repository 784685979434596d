import { signal } from '@preact/signals'
import { useEffect, useId, useState } from 'preact/hooks'
import { chime } from '../../common/chime.ts'
import { mutedLabel, muteForAnHour, muteForever, muteUntilTomorrow, unmute } from '../../common/mute.ts'
import { strings } from '../../i18n/i18n.ts'
import { nameOf } from '../../store/channels/names.ts'
import { isMuted, prefer, preferred } from '../../store/preferences/preferences.ts'
import { privateChannels, publicChannels } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { DeviceFoot, Line, Range, SetRow, SwitchLine } from './rows.tsx'

type Permission = NotificationPermission | 'missing' | 'insecure'
/** The permission may change in the browser's settings while this page is open. */
const permission = signal<Permission>('missing')
const look = () => {
  if (!isSecureContext) permission.value = 'insecure'
  else permission.value = 'Notification' in window ? Notification.permission : 'missing'
}

export function Notifications({ close }: { close: () => void }) {
  const texts = strings.notifications
  useEffect(() => {
    look()
    addEventListener('focus', look)
    return () => removeEventListener('focus', look)
  }, [])
  return (
    <>
      <div class="settings-body">
        <SetRow title={texts.device} more={texts.deviceMore}>
          <Desktop />
          <SwitchLine
            title={texts.text}
            more={texts.textMore}
            on={preferred.desktopText.value}
            set={desktopText => prefer({ desktopText })}
          />
        </SetRow>
        <SetRow title={texts.about} more={texts.aboutMore}>
          <SwitchLine
            title={texts.mentions}
            more={texts.mentionsMore}
            on={preferred.desktopMentions.value}
            set={desktopMentions => prefer({ desktopMentions })}
          />
          <SwitchLine
            title={texts.direct}
            on={preferred.desktopDirect.value}
            set={desktopDirect => prefer({ desktopDirect })}
          />
          <EveryMessage />
        </SetRow>
        <SetRow title={texts.sound}>
          <SwitchLine title={texts.sounds} on={preferred.sounds.value} set={sounds => prefer({ sounds })} />
          <SwitchLine
            title={texts.callSounds}
            on={preferred.callSounds.value}
            set={callSounds => prefer({ callSounds })}
          />
          <Volume />
        </SetRow>
        <SetRow title={texts.quiet}>
          <Quiet />
        </SetRow>
        <SetRow title={texts.aloud} more={texts.aloudMore}>
          <Segmented
            label={texts.aloud}
            value={preferred.announcements.value}
            choices={(['all', 'mentions', 'none'] as const).map(value => ({
              value,
              label: texts.announcements[value],
            }))}
            set={announcements => prefer({ announcements })}
          />
        </SetRow>
      </div>
      <DeviceFoot close={close} />
    </>
  )
}

function Desktop() {
  const texts = strings.notifications
  const id = useId()
  const state = permission.value
  if (state !== 'granted') {
    const { notAsked, denied, missing, insecure } = texts
    const more = { default: notAsked, denied, missing, insecure }[state]
    return (
      <Line title={texts.desktop} more={more}>
        {state === 'insecure' && (
          <a class="button" href="/trust" target="_blank" rel="noopener">
            {texts.whatToDo}
          </a>
        )}
        {state === 'default' && (
          <button
            type="button"
            class="button"
            onClick={async () => {
              await Notification.requestPermission()
              look()
              if (permission.peek() === 'granted') prefer({ desktop: true })
            }}
          >
            {texts.ask}
          </button>
        )}
      </Line>
    )
  }
  const on = preferred.desktop.value
  return (
    <div class="settings-line">
      <span>
        <b id={id}>{texts.desktop}</b>
        <small>{texts.granted}</small>
      </span>
      {on && (
        <button type="button" class="button" onClick={() => void sendTest()}>
          {texts.test}
        </button>
      )}
      <button
        type="button"
        class="switch"
        role="switch"
        aria-checked={on}
        aria-labelledby={id}
        onClick={() => prefer({ desktop: !on })}
      />
    </div>
  )
}

async function sendTest() {
  const options = { body: strings.notifications.testBody, icon: '/icons/icon-192.png', tag: 'bothy test' }
  // Android allows notifications from service workers only.
  const worker = await navigator.serviceWorker?.getRegistration()
  if (worker) await worker.showNotification(strings.product, options)
  else new Notification(strings.product, options)
}

function EveryMessage() {
  const texts = strings.notifications
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const chosen = new Set(preferred.everyMessageIn.value)
  const channels = [...publicChannels.value, ...privateChannels.value.map(one => one.channel)]
  return (
    <>
      <Line title={texts.every}>
        <button
          type="button"
          class="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          <span class="visually-hidden">{texts.every}</span>
          {texts.channels(channels.filter(channel => chosen.has(channel)).length)}
          <Icon name={isOpen ? 'chev-up' : 'chev-down'} size={16} />
        </button>
      </Line>
      {isOpen && (
        <div id={id} class="settings-list" role="group" aria-label={texts.every}>
          {channels.map(channel => (
            <label key={channel}>
              <input
                type="checkbox"
                checked={chosen.has(channel)}
                onChange={event => {
                  if (event.currentTarget.checked) chosen.add(channel)
                  else chosen.delete(channel)
                  prefer({ everyMessageIn: [...chosen] })
                }}
              />
              {nameOf(channel)}
            </label>
          ))}
        </div>
      )}
    </>
  )
}

function Volume() {
  const texts = strings.notifications
  const volume = preferred.volume.value
  return (
    <Line title={texts.volume}>
      <span class="settings-volume">
        <Range
          label={texts.volume}
          value={volume}
          least={0}
          most={1}
          text={strings.myProfile.zoomed(Math.round(volume * 100))}
          set={next => prefer({ volume: next })}
        />
      </span>
      <button type="button" class="button" onClick={() => void chime(volume, preferred.speaker.value)}>
        {texts.testSound}
      </button>
    </Line>
  )
}

function Quiet() {
  if (isMuted.value)
    return (
      <Line title={mutedLabel()}>
        <button type="button" class="button" onClick={unmute}>
          {strings.mute.unmute}
        </button>
      </Line>
    )
  return (
    <div class="settings-side">
      <button type="button" class="button" onClick={muteForAnHour}>
        <Icon name="bell-off" size={16} />
        {strings.mute.hour}
      </button>
      <button type="button" class="button" onClick={muteUntilTomorrow}>
        {strings.mute.tomorrow}
      </button>
      <button type="button" class="button" onClick={muteForever}>
        {strings.mute.forever}
      </button>
    </div>
  )
}
