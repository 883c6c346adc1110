import { type Colleague, inviteColleagueAgain } from '@bancone/contract/colleagues'
import { paths } from '@bancone/contract/pages'
import { useQueryClient } from '@tanstack/react-query'
import { Clock, Mail, ShieldCheck, ShieldOff } from 'lucide-react'
import type { RefObject } from 'react'
import { Link } from 'react-router'
import { useEndpointMutation } from '../../lib/endpoint-query.ts'
import { errorMessage } from '../../lib/messages.ts'
import { useFocusFallback } from '../../lib/use-focus-fallback.ts'
import { useNow } from '../../lib/use-now.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button, buttonStyle } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { toastError, toastSuccess } from '../../ui/toast.ts'
import { activityText, roleTexts } from './colleague-texts.ts'
import { invalidateColleagues, setCachedColleague } from './use-colleagues.ts'

const list = 'divide-y divide-line rounded-card border border-line bg-surface'

type ColleagueListProps = {
  colleagues: readonly Colleague[]
  actions: ColleagueActions
  focusFallback: RefObject<HTMLElement | null>
}

export function ColleagueList({ colleagues, actions, focusFallback }: ColleagueListProps) {
  const now = useNow()
  return (
    <ul aria-label="Chi lavora qui" className={list}>
      {colleagues.map((colleague) => (
        <li key={colleague.id}>
          <ColleagueItem
            colleague={colleague}
            now={now}
            actions={actions}
            focusFallback={focusFallback}
          />
        </li>
      ))}
    </ul>
  )
}

export function ColleagueListSkeleton() {
  return (
    <Loading text="Caricamento dei colleghi in corso…" className={list}>
      {['w-44', 'w-36', 'w-52'].map((width) => (
        <div key={width} className="flex gap-3 px-4 py-3.5">
          <Skeleton shape="control" className="size-8 shrink-0" />
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className={`h-4.5 max-w-full ${width}`} />
            <Skeleton className="h-3.5 w-2/5" />
            <Skeleton className="h-3.5 w-3/5" />
          </div>
        </div>
      ))}
    </Loading>
  )
}

/** Actions on a colleague. `opener` gets the focus back. */
type ColleagueActions = {
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

function ColleagueItem({ colleague, now, actions, focusFallback }: ColleagueItemProps) {
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

type InviteAgainProps = {
  colleague: Colleague
  /** Gets the focus when the button disappears. */
  focusFallback: RefObject<HTMLElement | null>
}

function InviteAgain({ colleague, focusFallback }: InviteAgainProps) {
  const client = useQueryClient()
  const { mutateAsync, isPending } = useEndpointMutation(inviteColleagueAgain)
  const going = useFocusFallback(focusFallback)

  async function invite() {
    try {
      const invited = await mutateAsync({ params: { colleagueId: colleague.id } })
      await setCachedColleague(client, invited)
      toastSuccess('Invito inviato di nuovo', {
        about: 'colleague',
        description: `Il link di prima non vale più: ${invited.email} ne riceve uno nuovo.`,
      })
    } catch (reason) {
      toastError(errorMessage(reason), { about: 'colleague' })
      // The colleague may have joined or been removed meanwhile.
      void invalidateColleagues(client)
    }
  }

  return (
    <div ref={going}>
      <Button
        aria-label={`Invia di nuovo l'invito a ${colleague.name}`}
        inactive={isPending}
        onClick={() => void invite()}
      >
        {isPending ? 'Invio in corso…' : "Invia di nuovo l'invito"}
      </Button>
    </div>
  )
}
