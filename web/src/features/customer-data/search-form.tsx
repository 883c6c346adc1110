import { type CustomerDataCounts, findCustomerData } from '@bancone/contract/customer-data'
import { zodResolver } from '@hookform/resolvers/zod'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { ApiError, call } from '../../lib/api.ts'
import { errorMessage } from '../../lib/messages.ts'
import { useFailure } from '../../lib/use-failure.ts'
import { useRoleRefresh } from '../../lib/use-role-refresh.ts'
import { Button } from '../../ui/button.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { TextField } from '../../ui/text-field.tsx'

type SearchFormProps = {
  /** Called with null as soon as what was found is no longer of the number in the field. */
  onFound: (counts: CustomerDataCounts | null) => void
}

function phoneMessage({ code }: { code?: string | undefined }): string {
  return code === 'too_big'
    ? 'Il numero è troppo lungo.'
    : 'Scrivi il numero di telefono del cliente.'
}

/** Finds the data of a customer by their telephone number. */
export function SearchForm({ onFound }: SearchFormProps) {
  const { failure, fail, clearFailure } = useFailure()
  const [error, setError] = useState<unknown>(null)
  useRoleRefresh(error)
  const form = useForm({
    resolver: zodResolver(findCustomerData.body, { error: phoneMessage }),
    defaultValues: { phone: '' },
  })
  const busy = form.formState.isSubmitting

  const submit = form.handleSubmit(async (body) => {
    const asked = form.getValues('phone')
    clearFailure()
    onFound(null)
    try {
      // Bypasses the cache: what is kept of a customer must not stay on a shared computer.
      const counts = await call(findCustomerData, { body }, { readOnly: true })
      if (form.getValues('phone') === asked) onFound(counts)
    } catch (reason) {
      setError(reason)
      const text = errorMessage(reason)
      if (reason instanceof ApiError && reason.code === 'customer_data.bad_phone')
        form.setError('phone', { message: text }, { shouldFocus: true })
      else fail(text)
    }
  })

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <FailureAlert failure={failure} />
      <TextField
        label="Numero di telefono del cliente"
        type="tel"
        autoComplete="off"
        required
        className="md:max-w-80"
        error={form.formState.errors.phone?.message}
        {...form.register('phone', { onChange: () => onFound(null) })}
      />
      <Button type="submit" look="primary" className="self-start" inactive={busy}>
        <Search aria-hidden />
        {busy ? 'Ricerca in corso…' : 'Cerca'}
      </Button>
    </form>
  )
}
