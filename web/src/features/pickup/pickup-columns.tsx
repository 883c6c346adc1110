import { changePickupColumns, getPickupColumns } from '@bancone/contract/order-pickup'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { endpointKey, useEndpoint } from '../../lib/endpoint-query.ts'
import { useAction } from '../../lib/use-action.ts'
import { CardSection } from '../../ui/card-section.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { SettingForm } from '../../ui/setting-form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toastSuccess } from '../../ui/toast.ts'

const fields = [
  { name: 'ready', label: 'Pronto', example: 'Pronto il' },
  { name: 'collected', label: 'Ritirato', example: 'Ritirato il' },
  { name: 'putBack', label: 'Rimesso a posto', example: 'Rimesso a posto il' },
] as const

type Names = Record<(typeof fields)[number]['name'], string | null>

/** The columns of the base into which the moments of orders are written; nothing for orders that are not in Airtable. */
export function PickupColumns() {
  const query = useEndpoint(getPickupColumns, {})
  if (query.data ? query.data.columns === null : !query.error) return null
  return (
    <CardSection
      title="Colonne di Airtable"
      intro="Bancone può scrivere anche nella base quando un ordine è pronto, ritirato o rimesso a posto. Dove non c'è un nome non scrive niente."
    >
      <QueryStates query={query} skeleton={null}>
        {({ columns, refused }) =>
          columns ? <ColumnsForm saved={columns} refused={refused} /> : null
        }
      </QueryStates>
    </CardSection>
  )
}

function ColumnsForm({ saved, refused }: { saved: Names; refused: readonly string[] }) {
  const client = useQueryClient()
  const [typed, setTyped] = useState<Partial<Record<keyof Names, string>>>({})
  const { busy, failure, run } = useAction()
  const textOf = (name: keyof Names) => typed[name] ?? saved[name] ?? ''

  async function save() {
    const body = {
      ready: textOf('ready'),
      collected: textOf('collected'),
      putBack: textOf('putBack'),
    }
    const answer = await call(changePickupColumns, { body })
    client.setQueryData(endpointKey(getPickupColumns, {}), answer)
    setTyped({})
    if (answer.refused.length === 0) toastSuccess('Colonne salvate')
  }

  return (
    <SettingForm
      busy={busy}
      notYet={fields.every(({ name }) => textOf(name).trim() === (saved[name] ?? ''))}
      failure={failure}
      onSubmit={(event) => {
        event.preventDefault()
        void run(save)
      }}
    >
      {fields.map(({ name, label, example }) => (
        <TextField
          key={name}
          label={label}
          className="md:max-w-96"
          maxLength={100}
          autoComplete="off"
          placeholder={`Per esempio «${example}»`}
          value={textOf(name)}
          onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
          error={
            refused.includes(saved[name] ?? '') && textOf(name) === saved[name]
              ? 'Airtable non ha questa colonna, o non accetta una data.'
              : undefined
          }
        />
      ))}
      <p className="text-sm text-pretty text-muted">
        {refused.length > 0
          ? 'I nomi sono salvati. Aggiungi la colonna in Airtable o correggi il nome: Bancone riprova da solo al prossimo ordine che cambia. Gli stati arrivano lo stesso.'
          : 'Vanno bene colonne di tipo data o testo. Vale per gli ordini che cambiano da ora in poi.'}
      </p>
    </SettingForm>
  )
}
