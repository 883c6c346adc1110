import type { Colleague } from '@bancone/contract/colleagues'
import { paths } from '@bancone/contract/pages'
import { Clock, Mail, ShieldCheck, ShieldOff } from 'lucide-react'
import type { RefObject } from 'react'
import { Link } from 'react-router'
import { useFocusFallback } from '../../lib/use-focus-fallback.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button, buttonStyle } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import { activityText, roleTexts } from './colleague-texts.ts'
import { InviteAgain } from './invite-again.tsx'

/** Actions on a colleague. `opener` gets the focus back. */
export type ColleagueActions = {
  onChange: (colleague: Colleague, opener: HTMLElement) => void
  onRemove: (colleague: Colleague, opener: HTMLElement) => void
}

type ColleagueItemProps = {
  colleague: Colleague
  now: number
  actions: ColleagueActions
  /** Gets the focus when the item disappears. */
  focusFallback: RefObject<HTMLElement | null>
}

function Pill({ accent = false, children }: { accent?: boolean; children: string }) {
  return (
    <span
      className={cn(
        'inline-flex h-6 items-center rounded-full border px-2 text-xs font-medium whitespace-nowrap',
        accent
          ? 'border-transparent bg-accent-soft text-accent'
          : 'border-line bg-sunken text-muted',
      )}
    >
      {children}
    </span>
  )
}

function Facts({ colleague, now }: { colleague: Colleague; now: number }) {
  const { hasJoined, secondFactor } = colleague
  const Presence = hasJoined ? Clock : Mail
  const Factor = secondFactor ? ShieldCheck : ShieldOff
  return (
    <ul className="mt-1.5 flex flex-col gap-1 text-sm text-muted [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0">
      <li className={cn('flex gap-1.5 tabular-nums', hasJoined ? null : 'text-pending')}>
        <Presence aria-hidden />
        {activityText(colleague, now)}
      </li>
      {hasJoined ? (
        <li className={cn('flex gap-1.5', secondFactor ? 'text-confirmed' : null)}>
          <Factor aria-hidden />
          {`Verifica in due passaggi ${secondFactor ? 'attiva' : 'non attiva'}`}
        </li>
      ) : null}
    </ul>
  )
}

function Actions({ colleague, actions, focusFallback }: Omit<ColleagueItemProps, 'now'>) {
  const { name, isYou, isPrimary, hasJoined } = colleague
  if (isYou) {
    return (
      <Link to={paths.account} className={buttonStyle({})}>
        Il tuo account
      </Link>
    )
  }
  if (isPrimary) return null
  return (
    <>
      {hasJoined ? null : <InviteAgain colleague={colleague} focusFallback={focusFallback} />}
      <Button
        aria-label={`Modifica ${name}`}
        aria-haspopup="dialog"
        onClick={({ currentTarget }) => actions.onChange(colleague, currentTarget)}
      >
        Modifica
      </Button>
      <Button
        aria-label={`Rimuovi ${name}`}
        aria-haspopup="dialog"
        onClick={({ currentTarget }) => actions.onRemove(colleague, currentTarget)}
      >
        Rimuovi
      </Button>
    </>
  )
}

export function ColleagueItem({ colleague, now, actions, focusFallback }: ColleagueItemProps) {
  const { name, email, role, isYou, isPrimary } = colleague
  const going = useFocusFallback(focusFallback)
  return (
    <div
      ref={going}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-4 py-3.5"
    >
      <div className="flex min-w-0 flex-1 basis-72 gap-3">
        <Avatar name={name} image={null} />
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <p className="font-medium wrap-anywhere">{name}</p>
            {isYou ? <Pill>Tu</Pill> : null}
            <Pill accent={role === 'owner'}>{roleTexts[role].name}</Pill>
            {isPrimary ? <Pill>Account della farmacia</Pill> : null}
          </div>
          <p className="mt-0.5 text-sm text-muted wrap-anywhere">{email}</p>
          <Facts colleague={colleague} now={now} />
        </div>
      </div>
      <div className="flex flex-wrap gap-2 max-sm:ml-11">
        <Actions colleague={colleague} actions={actions} focusFallback={focusFallback} />
      </div>
    </div>
  )
}
