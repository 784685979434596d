import { useEffect, useState } from 'preact/hooks'
import type { BotPayload } from '#shared/domain/payloads/people.ts'
import { Avatar } from '../../common/Avatar.tsx'
import { FormDialog } from '../../common/FormDialog.tsx'
import { MadeToken } from '../../common/MadeToken.tsx'
import { strings } from '../../i18n/i18n.ts'
import { actOnBot, bots, deleteBot, makeBotToken } from '../../net/requests/bots.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { uuid } from '../../net/requests/uuid.ts'
import { displayed } from '../../store/people/people.ts'
import { me, people } from '../../store/store.ts'
import { showToast } from '../../ui/feedback.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { MenuItems } from '../../ui/Menu.tsx'
import { openPopover } from '../../ui/Popover.tsx'
import { act } from './act.ts'
import { mayAdminister } from './admin-pages.ts'
import { BotDialog, type MadeBotToken } from './BotDialog.tsx'
import { PersonName } from './PersonName.tsx'
import './bots.css'

type Question = { kind: 'edit' | 'deactivate' | 'delete'; bot: BotPayload } | { kind: 'make' }

/** All bots by name. Owners and administrators act on them. */
export function BotsSection({ madeToken }: { madeToken: () => void }) {
  const [changes, setChanges] = useState(0)
  const [asked, setAsked] = useState<Question>()
  const [made, setMade] = useState<MadeBotToken>()
  const list = useBots(changes)
  const texts = strings.bots
  const changed = () => setChanges(before => before + 1)
  const close = () => setAsked(undefined)
  return (
    <section class="bots" aria-labelledby="bots">
      <div class="bots-head">
        <h2 id="bots" class="label">
          {texts.title}
        </h2>
        {me.value?.may.includes('make_bots') && (
          <button type="button" class="button" onClick={() => setAsked({ kind: 'make' })}>
            <Icon name="plus" size={16} />
            {texts.make}
          </button>
        )}
      </div>
      <p class="hint">{texts.about}</p>
      <ul class="admin-list">
        {list?.map(bot => (
          <Row key={bot.username} bot={bot} ask={setAsked} changed={changed} show={setMade} />
        ))}
      </ul>
      {list?.length === 0 && <p class="hint">{texts.none}</p>}
      {(asked?.kind === 'make' || asked?.kind === 'edit') && (
        <BotDialog
          bot={asked.kind === 'edit' ? asked.bot : undefined}
          close={close}
          saved={token => {
            close()
            changed()
            setMade(token)
          }}
        />
      )}
      {asked?.kind === 'deactivate' && <Deactivate bot={asked.bot} close={close} changed={changed} />}
      {asked?.kind === 'delete' && <Delete bot={asked.bot} close={close} changed={changed} />}
      {made && (
        <MadeToken
          title={texts.tokenOf(made.name)}
          made={{ token: made.token, scopes: ['read', 'write'], channels_only: null }}
          close={() => {
            setMade(undefined)
            madeToken()
          }}
        />
      )}
    </section>
  )
}

/** Read again after an act here, and when the people change. */
function useBots(changes: number): BotPayload[] | undefined {
  const [list, setList] = useState<BotPayload[]>()
  useEffect(() => {
    let here = true
    bots().then(found => here && setList(found), tolerateFailure)
    return () => {
      here = false
    }
  }, [changes, people.value])
  return list
}

interface RowProps {
  bot: BotPayload
  ask: (question: Question) => void
  changed: () => void
  show: (made: MadeBotToken) => void
}

function Row(props: RowProps) {
  const { bot, ask } = props
  const { username, description, owner, active } = bot
  const texts = strings.bots
  const mayAct = bot.mine || mayAdminister()
  return (
    <li class={active ? 'admin-row' : 'admin-row is-off'}>
      <Avatar name={username} size={36} />
      <div>
        <span class="bot-name">
          <PersonName account={bot} />
          {!active && <span class="person-tag">{texts.deactivated}</span>}
        </span>
        {description !== null && (
          <span class="hint" dir="auto">
            {description}
          </span>
        )}
        <span class="hint">{owner === null ? texts.noOwner : texts.ownedBy(displayed(owner))}</span>
      </div>
      {mayAct && active && (
        <button
          type="button"
          class="button"
          aria-label={texts.editOf(username)}
          onClick={() => ask({ kind: 'edit', bot })}
        >
          {texts.edit}
        </button>
      )}
      {mayAct && (
        <IconButton
          icon="more"
          label={texts.actionsOf(username)}
          aria-haspopup="menu"
          onClick={event =>
            openPopover(
              event.currentTarget as HTMLElement,
              texts.actionsOf(username),
              close => <Actions {...props} close={close} />,
              { role: 'menu' },
            )
          }
        />
      )}
    </li>
  )
}

function Actions({ bot, ask, changed, show, close }: RowProps & { close: () => void }) {
  const { username, active } = bot
  const texts = strings.bots
  const token = () => {
    const draft = { name: username, scopes: ['write'], client_id: uuid() }
    void act(
      () => makeBotToken(username, draft),
      username,
      ({ token }) => show({ name: username, token }),
    )
  }
  const reactivate = () => void act(() => actOnBot(username, 'reactivate'), username, changed)
  const state = active
    ? [
        { label: texts.newToken, icon: 'key', run: token },
        {
          label: texts.deactivate,
          icon: 'x',
          apart: true,
          danger: true,
          run: () => ask({ kind: 'deactivate', bot }),
        },
      ]
    : [{ label: texts.reactivate, icon: 'refresh', run: reactivate }]
  const remove = {
    label: strings.delete,
    icon: 'trash',
    danger: true,
    run: () => ask({ kind: 'delete', bot }),
  }
  return <MenuItems close={close} items={[...state, remove]} />
}

interface QuestionProps {
  bot: BotPayload
  close: () => void
  changed: () => void
}

function Deactivate({ bot: { username }, close, changed }: QuestionProps) {
  const texts = strings.bots
  const run = () => {
    close()
    void act(
      () => actOnBot(username, 'deactivate'),
      username,
      () => {
        showToast(texts.isDeactivated(username))
        changed()
      },
    )
  }
  return (
    <FormDialog
      title={texts.deactivateOf(username)}
      close={close}
      form={run}
      label={texts.deactivate}
      danger
      narrow
      ready
    >
      <p class="dialog-text">{texts.deactivateMore}</p>
    </FormDialog>
  )
}

function Delete({ bot: { username }, close, changed }: QuestionProps) {
  const texts = strings.bots
  const run = () => {
    close()
    void act(
      () => deleteBot(username),
      username,
      () => {
        showToast(texts.isDeleted(username))
        changed()
      },
    )
  }
  return (
    <FormDialog
      title={texts.deleteOf(username)}
      close={close}
      form={run}
      label={strings.delete}
      danger
      narrow
      ready
    >
      <p class="dialog-text">{texts.deleteMore}</p>
    </FormDialog>
  )
}
