import { createServer } from 'node:net'

/** PostgreSQL settings as command-line arguments, which override the cluster's configuration files. */
export function settingsArguments(port: number, own: Record<string, string>): string[] {
  const settings: Record<string, string> = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '60',
    shared_buffers: '128MB',
    fsync: 'on',
    // Committed transactions survive a power failure.
    synchronous_commit: 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_destination: 'stderr',
    logging_collector: 'off',
    log_min_messages: 'warning',
    log_checkpoints: 'off',
    // Statements, their values and error details may contain health data.
    log_statement: 'none',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
    ...own,
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/**
 * A free loopback port below the ephemeral range, so that no outgoing connection takes the port while PostgreSQL
 * restarts.
 */
export async function findPort(): Promise<number> {
  for (let tries = 0; tries < 50; tries++) {
    const port = 15_000 + Math.floor(Math.random() * 15_000)
    if (await canListen(port)) return port
  }
  throw new Error('no free port between 15000 and 29999')
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1' }, () => server.close(() => resolve(true)))
  })
}
