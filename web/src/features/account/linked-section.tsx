import { listSignInMethods } from '@bancone/contract/account'
import { Link2 } from 'lucide-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { z } from 'zod/mini'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { formatDateTime } from '../../lib/format.ts'
import {
  completeOAuthCallback,
  isProvider,
  readOAuthCallback,
  redirectTo,
  withoutOAuthParams,
} from '../../lib/provider-redirect.ts'
import type { Area } from '../../lib/session-state.ts'
import { problemCode, useAction } from '../../lib/use-action.ts'
import { type ModalProps, useOpened } from '../../lib/use-opened.ts'
import { Button } from '../../ui/button.tsx'
import { CardSection } from '../../ui/card-section.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { FocusFallback } from '../../ui/focus-fallback.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { LinesSkeleton } from '../../ui/skeleton.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import {
  accountPaths,
  callAsUser,
  type Identity,
  useInvalidateAccount,
  useOwnAccount,
} from './own-account.ts'
import { ReauthenticationDialog, textBefore } from './reauthentication-dialog.tsx'

type Provider = { id: string; name: string; identity: Identity | null }

/** One entry per provider: available, linked, or linked but no longer available. */
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

/** Handles the redirect back from a provider once, and removes its parameters from the URL. */
function useReturn(area: Area, { onLinked, onRefused }: ReturnHandlers) {
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()
  const finish = useEffectEvent(async () => {
    const back = readOAuthCallback({ search, hash })
    if (!back) return
    void navigate(pathname + withoutOAuthParams(search), { replace: true })
    const refusal = await completeOAuthCallback(area, back)
    if (refusal === null) onLinked()
    else onRefused(refusal)
  })
  useEffect(() => void finish(), [])
}

type ReturnHandlers = { onLinked: () => void; onRefused: (text: string) => void }

/** The user's external sign-in providers. Renders nothing where none is configured. */
export function LinkedSection({ area }: { area: Area }) {
  const account = useOwnAccount(area)
  const methods = useEndpoint(listSignInMethods, {}, { staleTime: Number.POSITIVE_INFINITY })
  const news = useInvalidateAccount(area)
  const linking = useAction('Non è stato possibile collegare questo accesso. Riprova.')
  const heading = useRef<HTMLHeadingElement>(null)
  const proving = useOpened<Provider>(heading)
  const unlinking = useOpened<Provider>(heading)
  const wanted = proving.item
  useReturn(area, {
    onLinked() {
      news()
      toastSuccess('Accesso collegato')
    },
    onRefused: linking.fail,
  })

  const offered = methods.data?.providers ?? []
  const linked = account.data?.identities ?? []
  const nothing = offered.length === 0 && linked.length === 0
  if (nothing && !methods.error && !linking.failure) return null
  return (
    <CardSection
      title="Accessi collegati"
      intro="Gli altri servizi con cui puoi accedere al posto della password."
      heading={heading}
    >
      <FailureAlert failure={linking.failure} />
      <QueryStates
        query={methods}
        otherwise="Non è stato possibile leggere gli accessi. Riprova."
        skeleton={null}
      >
        {() => null}
      </QueryStates>
      <QueryStates
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
                  <FocusFallback to={heading}>
                    <Button
                      aria-label={`Scollega ${provider.name}`}
                      aria-haspopup="dialog"
                      onClick={({ currentTarget }) => unlinking.open(provider, currentTarget)}
                    >
                      Scollega
                    </Button>
                  </FocusFallback>
                ) : (
                  <Button
                    aria-label={`Collega ${provider.name}`}
                    aria-haspopup="dialog"
                    inactive={linking.busy}
                    onClick={({ currentTarget }) => proving.open(provider, currentTarget)}
                  >
                    {linking.busy ? 'Un momento…' : 'Collega'}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </QueryStates>
      {wanted ? (
        <ReauthenticationDialog
          area={area}
          text={textBefore(`Per collegare ${wanted.name}`)}
          onConfirmed={() => {
            proving.modal.onClose()
            void linking.run(() => redirectToLink(area, wanted.id))
          }}
          {...proving.modal}
        />
      ) : null}
      {unlinking.item?.identity ? (
        <UnlinkDialog
          area={area}
          name={unlinking.item.name}
          identity={unlinking.item.identity}
          {...unlinking.modal}
        />
      ) : null}
    </CardSection>
  )
}

type UnlinkDialogProps = ModalProps & {
  area: Area
  name: string
  identity: Identity
}

/** Unlinks an external sign-in provider. */
function UnlinkDialog({ area, name, identity, ...modal }: UnlinkDialogProps) {
  const news = useInvalidateAccount(area)

  async function end() {
    try {
      await unlink(area, identity)
    } catch (error) {
      // The identity has been unlinked elsewhere already.
      if (problemCode(error) !== 'identity_not_found') throw error
    }
    news()
    toastSuccess('Accesso scollegato')
  }

  return (
    <ConfirmDialog
      title={`Scollegare ${name}?`}
      text={`Non potrai più accedere con ${name}. Restano l'email e la password. Gli altri dispositivi entrati con ${name} verranno disconnessi.`}
      confirm="Scollega"
      confirming="Un momento…"
      otherwise="Non è stato possibile scollegare questo accesso. Riprova."
      onConfirm={end}
      {...modal}
    />
  )
}

const LinkResponse = z.object({ url: z.url() })

/** Redirects to the other service, which redirects back to the account page. @throws AuthError */
async function redirectToLink(area: Area, provider: string): Promise<void> {
  if (!isProvider(provider)) throw new TypeError('A service has a name')
  const options = { redirectTo: location.origin + accountPaths[area], skipBrowserRedirect: true }
  const answer = await callAsUser(area, (auth) => auth.linkIdentity({ provider, options }))
  redirectTo(LinkResponse.parse(answer).url)
}

/** @throws AuthError */
async function unlink(area: Area, identity: Identity): Promise<void> {
  const { id, identity_id, user_id, provider } = identity
  await callAsUser(area, (auth) => auth.unlinkIdentity({ id, identity_id, user_id, provider }))
}
