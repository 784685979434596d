import { useState } from 'preact/hooks'
import type { MadeTokenPayload } from '#shared/domain/payloads/tokens.ts'
import { isAdmin } from '#shared/domain/roles.ts'
import { LONGEST_TOKEN_NAME, MOST_TOKEN_CHANNELS, type Scope } from '#shared/domain/tokens.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { FormDialog } from '../../common/FormDialog.tsx'
import { MadeToken } from '../../common/MadeToken.tsx'
import { useClientId } from '../../common/use-client-id.ts'
import { useSubmit } from '../../common/use-submit.ts'
import { strings } from '../../i18n/i18n.ts'
import { makeToken } from '../../net/requests/tokens.ts'
import { nameOf } from '../../store/channels/names.ts'
import { dms, me, privateChannels, publicChannels } from '../../store/store.ts'
import { ErrorLine } from '../../ui/ErrorLine.tsx'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Select.tsx'
import { confirmed } from '../administration/open-confirmed.ts'

const RIGHTS = {
  read: ['read'],
  write: ['write'],
  channels: ['channels'],
  admin: ['channels', 'admin'],
} as const satisfies Record<string, readonly Scope[]>
type Right = keyof typeof RIGHTS

/** Days; 0 has no end, which only administrators may choose. */
const LIFETIMES = [30, 90, 365] as const

/** Makes a token after the password was given, and shows it once. */
export function TokenDialog({ close, changed }: { close: () => void; changed: () => unknown }) {
  const [name, setName] = useState('')
  const [right, setRight] = useState<Right>('read')
  const [isLimited, setLimited] = useState(false)
  const [channels, setChannels] = useState<ChannelId[]>([])
  const [days, setDays] = useState<number>(365)
  const [made, setMade] = useState<MadeTokenPayload>()
  const attempt = useClientId()
  const texts = strings.tokens
  const administers = me.value !== undefined && isAdmin(me.value.role)

  const form = useSubmit({
    check() {
      if (name.trim() === '') return { field: 'name', sentence: texts.nameIt }
      if (isLimited && channels.length === 0) return { field: 'channels', sentence: texts.chooseChannels }
      return undefined
    },
    async send() {
      const draft = {
        name,
        scopes: [...RIGHTS[right]],
        channels_only: isLimited ? channels : null,
        expires_in_days: days,
      }
      const token = await confirmed(() => makeToken({ ...draft, client_id: attempt.idOf(draft) }))
      if (token === undefined) return false
      attempt.made()
      setMade(token)
      void changed()
    },
    whyNot: ({ code }) => (code === 'conflict' ? texts.tooMany : texts.notMade),
  })
  if (made) return <MadeToken title={texts.isMade(made.name)} made={made} close={close} />
  return (
    <FormDialog title={texts.make} close={close} form={form} label={texts.create}>
      <Field
        name="name"
        label={texts.name}
        hint={texts.nameHint}
        value={name}
        maxLength={LONGEST_TOKEN_NAME}
        problem={form.problemOf('name')}
        set={text => {
          setName(text)
          form.clear('name')
        }}
      />
      <div class="token-choices">
        <div class="field">
          <label for="token-right">{texts.may}</label>
          <Select id="token-right" value={right} choose={one => setRight(one as Right)}>
            {(Object.keys(RIGHTS) as Right[])
              .filter(one => one !== 'admin' || administers)
              .map(one => (
                <option key={one} value={one}>
                  {texts.choices[one]}
                </option>
              ))}
          </Select>
        </div>
        <div class="field">
          <label for="token-days">{texts.worksFor}</label>
          <Select id="token-days" value={String(days)} choose={one => setDays(Number(one))}>
            {[...LIFETIMES, ...(administers ? [0] : [])].map(one => (
              <option key={one} value={String(one)}>
                {texts.lifetime(one)}
              </option>
            ))}
          </Select>
        </div>
        <div class="field">
          <label for="token-where">{texts.where}</label>
          <Select
            id="token-where"
            value={isLimited ? 'some' : 'all'}
            choose={one => setLimited(one === 'some')}
          >
            <option value="all">{texts.everywhere}</option>
            <option value="some">{texts.someChannels}</option>
          </Select>
        </div>
      </div>
      {isLimited && (
        <ChannelList
          chosen={channels}
          problem={form.problemOf('channels')}
          choose={next => {
            setChannels(next)
            form.clear('channels')
          }}
        />
      )}
      <p class="hint">{texts.endsWith}</p>
    </FormDialog>
  )
}

interface ListProps {
  chosen: readonly ChannelId[]
  problem: string
  choose: (chosen: ChannelId[]) => void
}

/** The person's channels and conversations with a tick each. */
function ChannelList({ chosen, problem, choose }: ListProps) {
  const texts = strings.tokens
  const all = [
    ...publicChannels.value,
    ...privateChannels.value.map(one => one.channel),
    ...dms.value.map(one => one.channel),
  ]
  return (
    <fieldset class="token-channels" aria-describedby={problem ? 'token-channels-problem' : undefined}>
      <legend class="label">{texts.channels}</legend>
      <div class="settings-list">
        {all.map(channel => (
          <label key={channel}>
            <input
              type="checkbox"
              name="channels"
              checked={chosen.includes(channel)}
              disabled={chosen.length >= MOST_TOKEN_CHANNELS && !chosen.includes(channel)}
              onChange={event =>
                choose(
                  event.currentTarget.checked ? [...chosen, channel] : chosen.filter(one => one !== channel),
                )
              }
            />
            <bdi>{nameOf(channel)}</bdi>
          </label>
        ))}
      </div>
      {problem && <ErrorLine id="token-channels-problem">{problem}</ErrorLine>}
    </fieldset>
  )
}
