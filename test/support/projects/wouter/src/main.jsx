import { createRoot } from 'react-dom/client';
import { Link, Route, Switch, useLocation } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';

// The path of the page is that of wouter, the other that of the hash.
function Place() {
  const [location] = useLocation();
  const [hash] = useHashLocation();
  return <p>{`at ${location} and ${hash}`}</p>;
}

function App() {
  return (
    <>
      <Link href="/trips/7">Trip 7</Link>
      <img src="/map.svg" alt="map" width="40" height="40" />
      <Place />
      <Switch>
        <Route path="/">
          <h1>Home</h1>
        </Route>
        <Route path="/trips/:id">{({ id }) => <h1>Trip {id}</h1>}</Route>
        <Route>
          <h1>Not found</h1>
        </Route>
      </Switch>
    </>
  );
}

createRoot(document.getElementById('root')).render(<App />);
