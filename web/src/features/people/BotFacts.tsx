import { useEffect, useState } from 'preact/hooks'
import type { BotPayload } from '#shared/domain/payloads/people.ts'
import type { Username } from '#shared/domain/units.ts'
import { strings } from '../../i18n/i18n.ts'
import { bots } from '../../net/requests/bots.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { displayed } from '../../store/people/people.ts'
import { me } from '../../store/store.ts'
import { closePopover } from '../../ui/Popover.tsx'
import { openAdministration } from '../administration/open-administration.ts'

/** Description and owner of a bot, for all but guests; its owner and administrators may go to the list of bots. */
export function BotFacts({ name }: { name: Username }) {
  const [bot, setBot] = useState<BotPayload>()
  useEffect(() => {
    let here = true
    setBot(undefined)
    bots().then(list => here && setBot(list.find(({ username }) => username === name)), tolerateFailure)
    return () => {
      here = false
    }
  }, [name])
  if (!bot) return null
  const texts = strings.bots
  return (
    <div class="profile-card-facts">
      {bot.description !== null && <p dir="auto">{bot.description}</p>}
      <p>{bot.owner === null ? texts.noOwner : texts.ownedBy(displayed(bot.owner))}</p>
      {(bot.mine || me.value?.may.includes('administer')) && (
        <p>
          <button
            type="button"
            class="button-link"
            onClick={() => {
              closePopover(false)
              openAdministration('integrations')
            }}
          >
            {texts.manage}
          </button>
        </p>
      )}
    </div>
  )
}
