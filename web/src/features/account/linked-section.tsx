import { listSignInMethods } from '@bancone/contract/account'
import { Link2 } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { finishReturn, readReturn, withoutReturn } from '../../lib/external-sign-in.ts'
import { formatDateTime } from '../../lib/format.ts'
import type { Area } from '../../lib/session-state.ts'
import { useFocusHeir } from '../../lib/use-focus-heir.ts'
import { Button } from '../../ui/button.tsx'
import { toastResult } from '../../ui/toast.ts'
import { useAccountNews } from './account-news.ts'
import { AccountSection, LinesSkeleton, Problem, ReadPart } from './account-section.tsx'
import { leaveToLink } from './linking.ts'
import { type Identity, useOwnAccount } from './own-account.ts'
import { ProveDialog } from './prove-dialog.tsx'
import { UnlinkDialog } from './unlink-dialog.tsx'
import { useAction } from './use-action.ts'

type Provider = { id: string; name: string; identity: Identity | null }

/** One a service, whether it can be linked, is linked, or is offered no more. */
function providersOf(
  offered: readonly { id: string; name: string }[],
  identities: readonly Identity[],
): Provider[] {
  const known = new Map(offered.map(({ id, name }) => [id, name]))
  const linked = identities.map((identity) => ({
    id: identity.provider,
    name: known.get(identity.provider) ?? identity.provider,
    identity,
  }))
  const free = offered.filter(({ id }) => !identities.some(({ provider }) => provider === id))
  return [...linked, ...free.map(({ id, name }) => ({ id, name, identity: null }))]
}

function details({ email, last_sign_in_at: last }: Identity): string {
  const used = last ? `usato il ${formatDateTime(last)}` : 'collegato'
  return email ? `${email} · ${used}` : used
}

/** Ends what leaving for the other service has begun, once, and takes it out of the address. */
function useReturn(area: Area, { onLinked, onRefused }: ReturnHandlers) {
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()
  const finish = useEffectEvent(async () => {
    const back = readReturn({ search, hash })
    if (!back) return
    void navigate(pathname + withoutReturn(search), { replace: true })
    const refusal = await finishReturn(area, back)
    if (refusal === null) onLinked()
    else onRefused(refusal)
  })
  useEffect(() => void finish(), [])
}

type UnlinkButtonProps = {
  name: string
  onClick: (opener: HTMLElement) => void
  /** Gets the focus when there is nothing to unlink any more. */
  heir: RefObject<HTMLElement | null>
}

function UnlinkButton({ name, onClick, heir }: UnlinkButtonProps) {
  const going = useFocusHeir(heir)
  return (
    <div ref={going}>
      <Button
        aria-label={`Scollega ${name}`}
        aria-haspopup="dialog"
        onClick={({ currentTarget }) => onClick(currentTarget)}
      >
        Scollega
      </Button>
    </div>
  )
}

/** What was asked to be done with which, and by which button. */
type Asked = { provider: Provider; opener: HTMLElement }

type ReturnHandlers = { onLinked: () => void; onRefused: (text: string) => void }

/** The other services one signs in with. Nothing where there are none. */
export function LinkedSection({ area }: { area: Area }) {
  const account = useOwnAccount(area)
  const methods = useEndpoint(listSignInMethods, {}, { staleTime: Number.POSITIVE_INFINITY })
  const news = useAccountNews(area)
  const linking = useAction('Non è stato possibile collegare questo accesso. Riprova.')
  const [proving, setProving] = useState<Asked | null>(null)
  const [unlinking, setUnlinking] = useState<Asked | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useReturn(area, {
    onLinked() {
      news()
      toastResult('Accesso collegato')
    },
    onRefused: linking.fail,
  })

  const offered = methods.data?.providers ?? []
  const linked = account.data?.identities ?? []
  const nothing = offered.length === 0 && linked.length === 0
  if (nothing && !methods.error && !linking.failure) return null
  return (
    <AccountSection
      title="Accessi collegati"
      intro="Gli altri servizi con cui puoi accedere al posto della password."
      heading={heading}
    >
      <Problem of={linking.failure} />
      <ReadPart
        query={methods}
        otherwise="Non è stato possibile leggere gli accessi. Riprova."
        skeleton={null}
      >
        {() => null}
      </ReadPart>
      <ReadPart
        query={account}
        otherwise="Non è stato possibile leggere gli accessi collegati. Riprova."
        skeleton={<LinesSkeleton what="degli accessi collegati" lines={['w-56']} />}
      >
        {({ identities }) => (
          <ul className="divide-y divide-line rounded-control border border-line empty:hidden">
            {providersOf(offered, identities).map((provider) => (
              <li
                key={provider.identity?.identity_id ?? provider.id}
                className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3.5 py-2.5"
              >
                <Link2 aria-hidden className="size-5 shrink-0 text-muted" />
                <div className="min-w-0 flex-1 basis-32">
                  <p className="font-medium wrap-anywhere">{provider.name}</p>
                  <p className="text-sm wrap-anywhere text-muted tabular-nums">
                    {provider.identity ? details(provider.identity) : 'Non collegato'}
                  </p>
                </div>
                {provider.identity ? (
                  <UnlinkButton
                    name={provider.name}
                    onClick={(opener) => setUnlinking({ provider, opener })}
                    heir={heading}
                  />
                ) : (
                  <Button
                    aria-label={`Collega ${provider.name}`}
                    aria-haspopup="dialog"
                    inactive={linking.busy}
                    onClick={({ currentTarget }) => setProving({ provider, opener: currentTarget })}
                  >
                    {linking.busy ? 'Un momento…' : 'Collega'}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </ReadPart>
      {proving ? (
        <ProveDialog
          area={area}
          purpose={`Per collegare ${proving.provider.name}`}
          onProven={() => {
            setProving(null)
            linking.forget()
            void linking.run(() => leaveToLink(area, proving.provider.id))
          }}
          onClose={() => setProving(null)}
          onReturnFocus={() => proving.opener.focus()}
        />
      ) : null}
      {unlinking?.provider.identity ? (
        <UnlinkDialog
          area={area}
          name={unlinking.provider.name}
          identity={unlinking.provider.identity}
          onClose={() => setUnlinking(null)}
          onReturnFocus={() =>
            (unlinking.opener.isConnected ? unlinking.opener : heading.current)?.focus()
          }
        />
      ) : null}
    </AccountSection>
  )
}
