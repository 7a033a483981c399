/* Node-RED with a flow that answers a call after one request to the remote system of the arguments. It keeps no record of a run. */
import { node, startNodeRed } from '../peers/servers/red';

void startNodeRed([
  node('in', 'http in', { url: '/hook', method: 'post', wires: [['call']] }),
  node('call', 'http request', {
    method: 'GET',
    ret: 'obj',
    persist: true,
    url: process.argv[2],
    wires: [['out']],
  }),
  node('out', 'http response', { wires: [] }),
]).then((url) => process.send?.(`${url}/hook`));
