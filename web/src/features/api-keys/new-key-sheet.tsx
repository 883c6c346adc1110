import { createApiKey, KEY_NAME_LENGTH } from '@bancone/contract/api-keys'
import { useEffect, useRef } from 'react'
import { call } from '../../lib/api.ts'
import type { ModalProps } from '../../lib/use-opened.ts'
import { Alert } from '../../ui/alert.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { MadeOnceSheet } from '../../ui/made-once-sheet.tsx'

function MadeKey({ value, hurried }: { value: string; hurried: boolean }) {
  const heading = useRef<HTMLParagraphElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="flex flex-col gap-4">
      <p ref={heading} tabIndex={-1} className="font-medium outline-none">
        La chiave è pronta
      </p>
      <Alert tone="notice">
        Copiala adesso e conservala in un posto sicuro: quando chiudi questa finestra non la potrai
        più vedere.
      </Alert>
      <code className="rounded-control border border-line bg-sunken px-3 py-2.5 font-mono text-sm break-all select-all">
        {value}
      </code>
      <CopyButton label="Copia la chiave" text={value} primary />
      {hurried ? (
        <Alert tone="error">
          Prima copia la chiave, poi premi «Ho copiato la chiave»: dopo non la potrai più vedere.
        </Alert>
      ) : null}
    </div>
  )
}

/** Creates a key and shows it once. */
export function NewKeySheet(props: ModalProps) {
  return (
    <MadeOnceSheet
      title="Nuova chiave"
      body={createApiKey.body}
      nameProps={{
        required: true,
        hint: 'Per riconoscerla: il programma che la userà, per esempio «Sito della farmacia».',
      }}
      maxLength={KEY_NAME_LENGTH}
      missing="Dai un nome alla chiave."
      create={async (body) => (await call(createApiKey, { body })).key}
      done="Ho copiato la chiave"
      {...props}
    >
      {(value, hurried) => <MadeKey value={value} hurried={hurried} />}
    </MadeOnceSheet>
  )
}
