import { useEffect, useState } from 'preact/hooks';
import type { Client } from '../../../client/client.ts';
import { UsageChart } from '../parts/usage-chart.tsx';
import { failureOf } from '../state/failure.ts';
import type { Failure } from '../state/types.ts';
import { useConsole } from './console.ts';
import { KeyForm } from './key-form.tsx';
import { AssetList, DeploymentList, GenerationList } from './lists.tsx';
import { FailureText } from './notices.tsx';

/** The API key, and what it owns. */
export function AccountView() {
  const { state } = useConsole();
  return (
    <div class="account">
      <h1>Account</h1>
      <KeyForm />
      {state.key !== undefined && <Owned key={state.key} />}
    </div>
  );
}

type AccountData = Awaited<ReturnType<typeof load>>;

/** Reads all lists before any is shown, so that none moves another. */
async function load(client: Client) {
  const orFailure = <T,>(promise: Promise<T>) => promise.catch(failureOf);
  const [report, deployments, generations, assets] = await Promise.all([
    client.usage(),
    orFailure(client.deployments.list()),
    orFailure(client.generations.list()),
    orFailure(client.assets.list()),
  ]);
  return { report, deployments, generations, assets };
}

function Owned() {
  const { client } = useConsole().context;
  const [loaded, setLoaded] = useState<AccountData>();
  const [failure, setFailure] = useState<Failure>();
  useEffect(() => {
    load(client).then(setLoaded, (error) => setFailure(failureOf(error)));
  }, [client]);
  if (failure)
    return (
      <div class="notice failed inline" role="alert">
        <FailureText failure={failure} />
      </div>
    );
  if (!loaded) return <p class="note">Loading…</p>;
  return (
    <>
      <section>
        <h2>Usage</h2>
        <div class="chart">
          <UsageChart report={loaded.report} />
        </div>
      </section>
      <DeploymentList first={loaded.deployments} />
      <GenerationList first={loaded.generations} />
      <AssetList first={loaded.assets} />
    </>
  );
}
