import {
  listPrivacyTexts,
  MAX_PRIVACY_TEXT,
  type PublishedPrivacyText,
  publishPrivacyText,
} from '@bancone/contract/privacy-texts'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { call } from '../../lib/api.ts'
import { endpointKey, useEndpoint } from '../../lib/endpoint-query.ts'
import { formatDateTime } from '../../lib/format.ts'
import { useAction } from '../../lib/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { CardSection } from '../../ui/card-section.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { PolicyText } from './policy-text.tsx'

/** The privacy policy: the version in force, a form for the next one, and all versions to read. */
export function PrivacySection() {
  const query = useEndpoint(listPrivacyTexts, {})
  return (
    <CardSection
      title="Informativa sulla privacy"
      intro="Ogni modifica diventa una nuova versione, subito visibile su /privacy. Le versioni precedenti restano e non si possono cambiare."
    >
      <QueryStates query={query} skeleton={<PrivacySkeleton />}>
        {({ texts }) => (
          <>
            {texts[0] ? <PrivacyForm loaded={texts[0]} /> : null}
            <Versions texts={texts} />
          </>
        )}
      </QueryStates>
    </CardSection>
  )
}

function PrivacyForm({ loaded }: { loaded: PublishedPrivacyText }) {
  const client = useQueryClient()
  // Of the version that the user has begun with, even if a newer one is loaded meanwhile.
  const [base, setBase] = useState(loaded)
  const [text, setText] = useState(loaded.text)
  const [isPreview, setPreview] = useState(false)
  const { busy, failure, run } = useAction()
  const preview = useId()
  const isSame = text.trim() === base.text || text.trim() === ''

  function publish() {
    void run(async () => {
      const published = await call(publishPrivacyText, { body: { text, basedOn: base.version } })
      setBase(published.text)
      setText(published.text.text)
      setPreview(false)
      await client.invalidateQueries({ queryKey: endpointKey(listPrivacyTexts) })
      toastSuccess(`Versione ${published.text.version} pubblicata`)
    })
  }

  return (
    <>
      <FailureAlert failure={failure} />
      <TextArea
        label="Testo"
        hint="Titoli con ##, elenchi con un trattino, **grassetto**, [testo](https://indirizzo)."
        maxCharacters={MAX_PRIVACY_TEXT}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="flex flex-wrap gap-3">
        <Button
          look="primary"
          inactive={busy || isSame || text.length > MAX_PRIVACY_TEXT}
          onClick={publish}
        >
          {busy ? 'Pubblicazione in corso…' : 'Pubblica la nuova versione'}
        </Button>
        <Button
          aria-expanded={isPreview}
          aria-controls={preview}
          onClick={() => setPreview(!isPreview)}
        >
          {isPreview ? "Chiudi l'anteprima" : 'Anteprima'}
        </Button>
      </div>
      <div id={preview} hidden={!isPreview}>
        {isPreview ? (
          <div className="rounded-control border border-line bg-sunken px-4 py-3">
            <PolicyText text={text} />
          </div>
        ) : null}
      </div>
    </>
  )
}

function Versions({ texts }: { texts: PublishedPrivacyText[] }) {
  return (
    <div>
      <h3 className="text-sm font-medium">Versioni</h3>
      <ul className="mt-1 flex flex-col divide-y divide-line">
        {texts.map(({ version, publishedAt, publishedBy, text }) => (
          <li key={version}>
            <details className="group">
              <summary className="flex min-h-11 cursor-pointer flex-wrap items-center gap-x-2 rounded text-sm hover:text-accent">
                <span className="font-medium">Versione {version}</span>
                <span className="wrap-anywhere text-muted">
                  {formatDateTime(publishedAt)}
                  {publishedBy === null ? null : ` · ${publishedBy}`}
                </span>
              </summary>
              <div className="pt-1 pb-4">
                <PolicyText text={text} />
              </div>
            </details>
          </li>
        ))}
      </ul>
    </div>
  )
}

function PrivacySkeleton() {
  return (
    <Loading className="flex flex-col gap-3">
      <Skeleton className="h-4.5 w-24" />
      <Skeleton shape="control" className="h-40" />
    </Loading>
  )
}
