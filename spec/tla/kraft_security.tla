---------------------------- MODULE kraft_security -----------------------------
\* kraft_security: The KRaft controller of Kafka 4.4: brokers, partitions, topics, and what a real log needs beside
\* them.
\* Made from the tables of kraft_security 7b26f58cb063; not to be edited.
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS NumberAcl, NumberBinding, Maxcode, NumberName, Maxlevel, NumberCredential, Maxiterations, NumberToken,
  NumberPrincipal, Maxtime, NumberQuota, NumberQuotaKind, NumberRate, NumberQuotaKey, Bound, None

Acl == 0..(NumberAcl - 1)
Binding == 0..(NumberBinding - 1)
code == 0..Maxcode
Name == 0..(NumberName - 1)
level == 0..Maxlevel
Credential == 0..(NumberCredential - 1)
iterations_2 == 0..Maxiterations
Token == 0..(NumberToken - 1)
Principal == 0..(NumberPrincipal - 1)
time == 0..Maxtime
Quota == 0..(NumberQuota - 1)
QuotaKind == 0..(NumberQuotaKind - 1)
Rate == 0..(NumberRate - 1)
QuotaKey == 0..(NumberQuotaKey - 1)

Pick(S) == CHOOSE x \in S : TRUE
Put(f, updates) == [k \in DOMAIN f |-> LET u == {x \in updates : x.at = k} IN IF u = {} THEN f[k] ELSE Pick(u).to]

VARIABLES granted, resource_code, pattern_code, operation_code, permission_code, resource_name, nameless,
  metadata_version, in_force, says, matches, scram_user, mechanism, has_credential, iterations, owner, has_token,
  requester, renewers, issued_at, latest, expires_at, published, quota_kinds, user, client_id, ip, quota_names, rate,
  quota_key, producer_byte_rate, consumer_byte_rate, request_percentage, controller_mutation_rate,
  connection_creation_rate

vars == <<granted, resource_code, pattern_code, operation_code, permission_code, resource_name, nameless,
  metadata_version, in_force, says, matches, scram_user, mechanism, has_credential, iterations, owner, has_token,
  requester, renewers, issued_at, latest, expires_at, published, quota_kinds, user, client_id, ip, quota_names, rate,
  quota_key, producer_byte_rate, consumer_byte_rate, request_percentage, controller_mutation_rate,
  connection_creation_rate>>

never_written == <<resource_code, pattern_code, operation_code, permission_code, resource_name, nameless,
  metadata_version, matches, scram_user, mechanism, published, quota_kinds, user, client_id, ip, quota_names, quota_key,
  producer_byte_rate, consumer_byte_rate, request_percentage, controller_mutation_rate, connection_creation_rate>>

owner_and_others == <<owner, requester, renewers, issued_at, latest, expires_at>>

Given_CreateDelegationToken(k, holder, by, renewers_2, now, end, until, enabled, of_users) == CASE Bound = "security" ->
  (holder = 0 /\ by = 0 /\ renewers_2 = {1}) [] OTHER -> TRUE

Given_CreateDelegationToken_holder == CASE Bound = "security" -> {0} [] OTHER -> Principal

Given_CreateDelegationToken_by == CASE Bound = "security" -> {0} [] OTHER -> Principal

Given_CreateDelegationToken_renewers == CASE Bound = "security" -> {{1}} [] OTHER -> SUBSET Principal

known_codes(v) == 2 <= resource_code[v] /\ resource_code[v] <= 7 /\ 3 <= pattern_code[v] /\ pattern_code[v] <= 4 /\ 2 <=
  operation_code[v] /\ operation_code[v] <= 15 /\ 2 <= permission_code[v] /\ permission_code[v] <= 3

before_scram == metadata_version < 11

unnamed(c) == scram_user[c] = nameless

no_mechanism(c) == mechanism[c] < 1 \/ 2 < mechanism[c]

hashed_enough(iterations_3) == iterations_3 = 1

before_tokens == metadata_version < 14

found(k) == published[k] /\ owner[k] # None

is_over(k, now) == latest[k] < now \/ expires_at[k] < now

may_renew(k, by) == owner[k] = by \/ by \in renewers[k]

of_clients(q) == quota_kinds[q] # {} /\ quota_kinds[q] \subseteq {user, client_id}

of_address(q) == quota_kinds[q] = {ip}

legal_entity(q, resolves) == (of_clients(q) \/ (of_address(q) /\ resolves)) /\ nameless \notin quota_names[q]

limits_clients(q) == quota_key[q] = producer_byte_rate \/ quota_key[q] = consumer_byte_rate \/ quota_key[q] =
  request_percentage \/ quota_key[q] = controller_mutation_rate

legal_key(q) == (of_clients(q) /\ limits_clients(q)) \/ (of_address(q) /\ quota_key[q] = connection_creation_rate)

AccessControlEntry_replayed(written) ==
  /\ granted' = Put(granted, {[at |-> r.acl, to |-> TRUE] : r \in written})
  /\ says' = Put(says, {[at |-> r.acl, to |-> r.binding] : r \in written})
  /\ in_force' = Put(in_force, {[at |-> r.binding, to |-> TRUE] : r \in written})

RemoveAccessControlEntry_replayed(written) ==
  /\ in_force' = Put(in_force, {[at |-> says[r.acl], to |-> FALSE] : r \in written})
  /\ granted' = Put(granted, {[at |-> r.acl, to |-> FALSE] : r \in written})

RemoveUserScramCredential_has_credential(old, written) == Put(old, {[at |-> r.credential, to |-> FALSE] : r \in
  written})

UserScramCredential_replayed(written) ==
  /\ has_credential' = Put(has_credential, {[at |-> r.credential, to |-> TRUE] : r \in written})
  /\ iterations' = Put(iterations, {[at |-> r.credential, to |-> r.iterations] : r \in written})
  /\ iterations' \in [Credential -> iterations_2]

DelegationToken_replayed(written) ==
  /\ has_token' = Put(has_token, {[at |-> r.token, to |-> TRUE] : r \in written})
  /\ owner' = Put(owner, {[at |-> r.token, to |-> r.owner] : r \in written})
  /\ requester' = Put(requester, {[at |-> r.token, to |-> r.requester] : r \in written})
  /\ renewers' = Put(renewers, {[at |-> r.token, to |-> r.renewers] : r \in written})
  /\ issued_at' = Put(issued_at, {[at |-> r.token, to |-> r.issued] : r \in written})
  /\ latest' = Put(latest, {[at |-> r.token, to |-> r.latest] : r \in written})
  /\ expires_at' = Put(expires_at, {[at |-> r.token, to |-> r.expires] : r \in written})
  /\ issued_at' \in [Token -> time]
  /\ latest' \in [Token -> time]
  /\ expires_at' \in [Token -> time]

RemoveDelegationToken_has_token(old, written) == Put(old, {[at |-> r.token, to |-> FALSE] : r \in written})

RemoveClientQuota_rate(old, written) == Put(old, {[at |-> r.quota, to |-> None] : r \in written})

ClientQuota_rate(old, written) == Put(old, {[at |-> r.quota, to |-> r.rate] : r \in written})

AL3_applies(range) == range /\ metadata_version < 32

AL4_applies(range, good_range) == range /\ ~good_range

\* Kafka 4.4
AL6_is_enabled(a, v, readable, range, good_range) ==
  /\ (~granted[a]) = TRUE
  /\ known_codes(v) = TRUE
  /\ (~(resource_name[v] = nameless \/ ~readable)) = TRUE
  /\ (~AL3_applies(range)) = TRUE
  /\ (~AL4_applies(range, good_range)) = TRUE
  /\ (~in_force[v]) = TRUE

AL6(a, v, readable, range, good_range) ==
  /\ AL6_is_enabled(a, v, readable, range, good_range)
  /\ AccessControlEntry_replayed({[acl |-> a, binding |-> v]})
  /\ UNCHANGED <<has_credential, iterations, has_token, rate, never_written, owner_and_others>>

\* Kafka 4.4
AL8(readable) ==
  /\ readable
  /\ RemoveAccessControlEntry_replayed({[acl |-> a] : a \in {a \in Acl : granted[a] /\ matches[a]}})
  /\ UNCHANGED <<says, has_credential, iterations, has_token, rate, never_written, owner_and_others>>

\* KIP-554
SC6_is_enabled(c, twice) ==
  /\ (~before_scram) = TRUE
  /\ (~unnamed(c)) = TRUE
  /\ (~no_mechanism(c)) = TRUE
  /\ has_credential[c]
  /\ (~twice) = TRUE

SC6(c, twice) ==
  /\ SC6_is_enabled(c, twice)
  /\ has_credential' = RemoveUserScramCredential_has_credential(has_credential, {[credential |-> c]})
  /\ UNCHANGED <<granted, in_force, says, iterations, has_token, rate, never_written, owner_and_others>>

\* KIP-554
SC12_is_enabled(c, iterations_3, twice) ==
  /\ (~before_scram) = TRUE
  /\ (~unnamed(c)) = TRUE
  /\ (~no_mechanism(c)) = TRUE
  /\ hashed_enough(iterations_3) = TRUE
  /\ (~twice) = TRUE

SC12(c, iterations_3, twice) ==
  /\ SC12_is_enabled(c, iterations_3, twice)
  /\ UserScramCredential_replayed({[credential |-> c, iterations |-> iterations_3]})
  /\ UNCHANGED <<granted, in_force, says, has_token, rate, never_written, owner_and_others>>

\* KIP-900
TK4_is_enabled(k, holder, by, renewers_2, now, end, until, enabled, of_users) ==
  /\ owner[k] = None
  /\ now <= until
  /\ until <= end
  /\ enabled
  /\ (~before_tokens) = TRUE
  /\ of_users
  /\ Given_CreateDelegationToken(k, holder, by, renewers_2, now, end, until, enabled, of_users) = TRUE

TK4(k, holder, by, renewers_2, now, end, until, enabled, of_users) ==
  /\ TK4_is_enabled(k, holder, by, renewers_2, now, end, until, enabled, of_users)
  /\ DelegationToken_replayed({[token |-> k, owner |-> holder, requester |-> by, renewers |-> renewers_2, issued |->
         now, latest |-> end, expires |-> until]})
  /\ UNCHANGED <<granted, in_force, says, has_credential, iterations, rate, never_written>>

\* KIP-900
TK10_is_enabled(k, by, now, until, enabled) ==
  /\ until <= latest[k]
  /\ enabled
  /\ (~before_tokens) = TRUE
  /\ found(k) = TRUE
  /\ (~is_over(k, now)) = TRUE
  /\ may_renew(k, by) = TRUE

TK10(k, by, now, until, enabled) ==
  /\ TK10_is_enabled(k, by, now, until, enabled)
  /\ DelegationToken_replayed({[token |-> k, owner |-> owner[k], requester |-> requester[k], renewers |-> renewers[k],
         issued |-> issued_at[k], latest |-> latest[k], expires |-> until]})
  /\ UNCHANGED <<granted, in_force, says, has_credential, iterations, rate, never_written>>

\* KIP-900
TK15_is_enabled(k, by, now, until, at_once, enabled) ==
  /\ until <= latest[k]
  /\ at_once
  /\ enabled
  /\ (~before_tokens) = TRUE
  /\ found(k) = TRUE
  /\ may_renew(k, by) = TRUE

TK15(k, by, now, until, at_once, enabled) ==
  /\ TK15_is_enabled(k, by, now, until, at_once, enabled)
  /\ has_token' = RemoveDelegationToken_has_token(has_token, {[token |-> k]})
  /\ UNCHANGED <<granted, in_force, says, has_credential, iterations, rate, never_written, owner_and_others>>

\* KIP-900
TK17_is_enabled(k, by, now, until, at_once, enabled) ==
  /\ until <= latest[k]
  /\ enabled
  /\ (~before_tokens) = TRUE
  /\ found(k) = TRUE
  /\ may_renew(k, by) = TRUE
  /\ (~at_once) = TRUE
  /\ (~is_over(k, now)) = TRUE

TK17(k, by, now, until, at_once, enabled) ==
  /\ TK17_is_enabled(k, by, now, until, at_once, enabled)
  /\ DelegationToken_replayed({[token |-> k, owner |-> owner[k], requester |-> requester[k], renewers |-> renewers[k],
         issued |-> issued_at[k], latest |-> latest[k], expires |-> until]})
  /\ UNCHANGED <<granted, in_force, says, has_credential, iterations, rate, never_written>>

\* KIP-900
TK18(now) ==
  /\ has_token' = RemoveDelegationToken_has_token(has_token, {[token |-> k] : k \in {k \in Token : found(k) /\
         is_over(k, now)}})
  /\ UNCHANGED <<granted, in_force, says, has_credential, iterations, rate, never_written, owner_and_others>>

\* KIP-546
CQ4_is_enabled(q, twice, resolves, validate_only) ==
  /\ (~twice) = TRUE
  /\ legal_entity(q, resolves) = TRUE
  /\ (~validate_only) = TRUE
  /\ rate[q] # None

CQ4(q, twice, resolves, validate_only) ==
  /\ CQ4_is_enabled(q, twice, resolves, validate_only)
  /\ rate' = RemoveClientQuota_rate(rate, {[quota |-> q]})
  /\ UNCHANGED <<granted, in_force, says, has_credential, iterations, has_token, never_written, owner_and_others>>

\* KIP-546
CQ9_is_enabled(q, rate_2, twice, resolves, allowed, validate_only) ==
  /\ (~twice) = TRUE
  /\ legal_entity(q, resolves) = TRUE
  /\ (~(~legal_key(q) \/ ~allowed)) = TRUE
  /\ (~validate_only) = TRUE
  /\ rate[q] # rate_2

CQ9(q, rate_2, twice, resolves, allowed, validate_only) ==
  /\ CQ9_is_enabled(q, rate_2, twice, resolves, allowed, validate_only)
  /\ rate' = ClientQuota_rate(rate, {[quota |-> q, rate |-> rate_2]})
  /\ UNCHANGED <<granted, in_force, says, has_credential, iterations, has_token, never_written, owner_and_others>>

Init ==
  /\ granted = [k \in Acl |-> FALSE]
  /\ in_force = [k \in Binding |-> FALSE]
  /\ has_credential = [k \in Credential |-> FALSE]
  /\ iterations = [k \in Credential |-> 0]
  /\ owner = [k \in Token |-> None]
  /\ has_token = [k \in Token |-> FALSE]
  /\ requester = [k \in Token |-> None]
  /\ renewers = [k \in Token |-> {}]
  /\ issued_at = [k \in Token |-> 0]
  /\ latest = [k \in Token |-> 0]
  /\ expires_at = [k \in Token |-> 0]
  /\ rate = [k \in Quota |-> None]
  /\ resource_code \in [Binding -> code]
  /\ pattern_code \in [Binding -> code]
  /\ operation_code \in [Binding -> code]
  /\ permission_code \in [Binding -> code]
  /\ resource_name \in [Binding -> Name]
  /\ Bound = "security" => (\A v \in Binding : resource_code[v] = 2 /\ resource_name[v] = (IF v = 0 THEN 0 ELSE 1) /\
         pattern_code[v] = 3 /\ operation_code[v] = 3 /\ permission_code[v] = 3)
  /\ nameless \in Name
  /\ Bound = "security" => nameless = 0
  /\ metadata_version \in level
  /\ Bound = "security" => (metadata_version = 7 \/ metadata_version = 33)
  /\ says \in [Acl -> Binding]
  /\ matches \in [Acl -> BOOLEAN]
  /\ Bound = "security" => (\A a \in Acl : says[a] = 0 /\ matches[a] = (a = 0))
  /\ scram_user \in [Credential -> Name]
  /\ mechanism \in [Credential -> code]
  /\ Bound = "security" => (\A c \in Credential : scram_user[c] = (IF c = 0 THEN 0 ELSE 1) /\ mechanism[c] = (IF c = 1
         THEN 0 ELSE 1))
  /\ published \in [Token -> BOOLEAN]
  /\ quota_kinds \in [Quota -> SUBSET QuotaKind]
  /\ user \in QuotaKind
  /\ Bound = "security" => user = 0
  /\ client_id \in QuotaKind
  /\ Bound = "security" => client_id = 1
  /\ ip \in QuotaKind
  /\ Bound = "security" => ip = 2
  /\ quota_names \in [Quota -> SUBSET Name]
  /\ quota_key \in [Quota -> QuotaKey]
  /\ Bound = "security" => (\A q \in Quota : quota_kinds[q] = (IF q = 0 THEN {ip} ELSE IF q = 1 THEN {ip, user} ELSE
         {user}) /\ quota_names[q] = {1} /\ quota_key[q] = (IF q = 0 \/ q = 3 THEN 1 ELSE 0))
  /\ producer_byte_rate \in QuotaKey
  /\ Bound = "security" => producer_byte_rate = 0
  /\ consumer_byte_rate \in QuotaKey
  /\ Bound = "security" => consumer_byte_rate = 0
  /\ request_percentage \in QuotaKey
  /\ Bound = "security" => request_percentage = 0
  /\ controller_mutation_rate \in QuotaKey
  /\ Bound = "security" => controller_mutation_rate = 0
  /\ connection_creation_rate \in QuotaKey
  /\ Bound = "security" => connection_creation_rate = 1

Rows ==
  \/ \E a \in Acl, v \in Binding, readable \in BOOLEAN, range \in BOOLEAN, good_range \in BOOLEAN : AL6(a, v, readable,
       range, good_range)
  \/ \E readable \in BOOLEAN : AL8(readable)
  \/ \E c \in Credential, twice \in BOOLEAN : SC6(c, twice)
  \/ \E c \in Credential, iterations_3 \in iterations_2, twice \in BOOLEAN : SC12(c, iterations_3, twice)
  \/ \E k \in Token, holder \in Given_CreateDelegationToken_holder, by \in Given_CreateDelegationToken_by, renewers_2
       \in Given_CreateDelegationToken_renewers, now \in time, end \in time, until \in time, enabled \in BOOLEAN,
       of_users \in BOOLEAN : TK4(k, holder, by, renewers_2, now, end, until, enabled, of_users)
  \/ \E k \in Token, by \in Principal, now \in time, until \in time, enabled \in BOOLEAN : TK10(k, by, now, until,
       enabled)
  \/ \E enabled \in BOOLEAN :
       /\ enabled
       /\ \E k \in Token :
            /\ found(k) = TRUE
            /\ \E until \in time :
                 /\ until <= latest[k]
                 /\ \E by \in Principal :
                      /\ may_renew(k, by) = TRUE
                      /\ \E now \in time, at_once \in BOOLEAN :
                           \/ TK15(k, by, now, until, at_once, enabled)
                           \/ TK17(k, by, now, until, at_once, enabled)
  \/ \E now \in time : TK18(now)
  \/ \E q \in Quota, twice \in BOOLEAN, resolves \in BOOLEAN, validate_only \in BOOLEAN : CQ4(q, twice, resolves,
       validate_only)
  \/ \E q \in Quota, rate_2 \in Rate, twice \in BOOLEAN, resolves \in BOOLEAN, allowed \in BOOLEAN, validate_only \in
       BOOLEAN : CQ9(q, rate_2, twice, resolves, allowed, validate_only)

Next == Rows \/ UNCHANGED vars

Spec == Init /\ [][Next]_vars

\* The guard of some row holds: unlike in ENABLED Rows, of one too that only a range disables.
SomeRowIsEnabled ==
  \/ \E a \in Acl, v \in Binding, readable \in BOOLEAN, range \in BOOLEAN, good_range \in BOOLEAN : AL6_is_enabled(a, v,
       readable, range, good_range)
  \/ \E readable \in BOOLEAN : readable
  \/ \E c \in Credential, twice \in BOOLEAN : SC6_is_enabled(c, twice)
  \/ \E c \in Credential, iterations_3 \in iterations_2, twice \in BOOLEAN : SC12_is_enabled(c, iterations_3, twice)
  \/ \E k \in Token, holder \in Given_CreateDelegationToken_holder, by \in Given_CreateDelegationToken_by, renewers_2
       \in Given_CreateDelegationToken_renewers, now \in time, end \in time, until \in time, enabled \in BOOLEAN,
       of_users \in BOOLEAN : TK4_is_enabled(k, holder, by, renewers_2, now, end, until, enabled, of_users)
  \/ \E k \in Token, by \in Principal, now \in time, until \in time, enabled \in BOOLEAN : TK10_is_enabled(k, by, now,
       until, enabled)
  \/ \E enabled \in BOOLEAN :
       /\ enabled
       /\ \E k \in Token :
            /\ found(k) = TRUE
            /\ \E until \in time :
                 /\ until <= latest[k]
                 /\ \E by \in Principal :
                      /\ may_renew(k, by) = TRUE
                      /\ \E now \in time, at_once \in BOOLEAN :
                           \/ TK15_is_enabled(k, by, now, until, at_once, enabled)
                           \/ TK17_is_enabled(k, by, now, until, at_once, enabled)
  \/ \E now \in time : TRUE
  \/ \E q \in Quota, twice \in BOOLEAN, resolves \in BOOLEAN, validate_only \in BOOLEAN : CQ4_is_enabled(q, twice,
       resolves, validate_only)
  \/ \E q \in Quota, rate_2 \in Rate, twice \in BOOLEAN, resolves \in BOOLEAN, allowed \in BOOLEAN, validate_only \in
       BOOLEAN : CQ9_is_enabled(q, rate_2, twice, resolves, allowed, validate_only)

\* What an access control entry says is in force. (AclControlManager.replay)
G1 == \A a \in Acl : granted[a] => in_force[says[a]]

\* No two access control entries say the same. (AclControlManager.createAcls)
G2 == \A a \in Acl, other \in Acl : (granted[a] /\ granted[other] /\ says[a] = says[other]) => a = other

\* An id of an access control entry that is in use is never given to another. (AclControlManager.newAclId)
G3 == [][\A a \in Acl : (granted[a] /\ granted[a]') => says[a]' = says[a]]_vars

\* An access control entry that is answered NONE is in force. (AclControlManager.createAcls)
G4 == [][(\A a \in Acl, v \in Binding, readable \in BOOLEAN, range \in BOOLEAN, good_range \in BOOLEAN : (AL6(a, v,
  readable, range, good_range)) => (in_force[v]'))]_vars

\* Of the access control entries those that a filter matches are gone after it, and no other.
\* (AclControlManager.deleteAcls)
G5 == [][(\A readable \in BOOLEAN : (AL8(readable)) => (\A a \in Acl : granted[a]' = (granted[a] /\ ~matches[a])))]_vars

\* A SCRAM credential that is deleted was there, and is gone. (ScramControlManager.replay)
G6 == [][(\A c \in Credential, twice \in BOOLEAN : (SC6(c, twice)) => (has_credential[c] /\
  (~has_credential[c])'))]_vars

\* A SCRAM credential that is answered NONE is there. (ScramControlManager.alterCredentials)
G7 == [][(\A c \in Credential, iterations_3 \in iterations_2, twice \in BOOLEAN : (SC12(c, iterations_3, twice)) =>
  ((has_credential[c] /\ iterations[c] = iterations_3)'))]_vars

\* A delegation token has an owner, and never lives longer than it may at most. (KIP-48)
G8 == \A k \in Token : has_token[k] => (owner[k] # None /\ expires_at[k] <= latest[k])

\* Whose a delegation token is, who may renew it and when it ends at the latest never change. (KIP-48)
G9 == [][\A k \in Token : owner[k] # None => (owner[k]' = owner[k] /\ requester[k]' = requester[k] /\ renewers[k]' =
  renewers[k] /\ issued_at[k]' = issued_at[k] /\ latest[k]' = latest[k])]_vars

\* A delegation token that is over, and published, is gone after the sweep.
\* (DelegationTokenControlManager.sweepExpiredDelegationTokens)
G10 == [][(\A now \in time : (TK18(now)) => (\A k \in Token : (published[k] /\ owner[k] # None /\ is_over(k, now)) =>
  (~has_token[k])'))]_vars

\* A sweep takes away no delegation token that is not over. (DelegationTokenControlManager.sweepExpiredDelegationTokens)
G11 == [][(\A now \in time : (TK18(now)) => (\A k \in Token : (has_token[k] /\ ~is_over(k, now)) =>
  has_token[k]'))]_vars

\* A delegation token that is to end at once is gone. (DelegationTokenControlManager.expireDelegationToken)
G12 == [][(\A k \in Token, by \in Principal, now \in time, until \in time, at_once \in BOOLEAN, enabled \in BOOLEAN :
  (TK15(k, by, now, until, at_once, enabled)) => ((~has_token[k])'))]_vars

\* A delegation token that is renewed, or is to end later, ends when it was answered. (KIP-48)
G13 == [][(\A k \in Token, by \in Principal, now \in time, until \in time, enabled \in BOOLEAN : (TK10(k, by, now,
  until, enabled)) => ((has_token[k] /\ expires_at[k] = until)')) /\ (\A k \in Token, by \in Principal, now \in time,
  until \in time, at_once \in BOOLEAN, enabled \in BOOLEAN : (TK17(k, by, now, until, at_once, enabled)) =>
  ((has_token[k] /\ expires_at[k] = until)'))]_vars

\* A delegation token that is answered NONE is there, as it was asked for. (KIP-48)
G14 == [][(\A k \in Token, holder \in Given_CreateDelegationToken_holder, by \in Given_CreateDelegationToken_by,
  renewers_2 \in Given_CreateDelegationToken_renewers, now \in time, end \in time, until \in time, enabled \in BOOLEAN,
  of_users \in BOOLEAN : (TK4(k, holder, by, renewers_2, now, end, until, enabled, of_users)) => ((has_token[k] /\
  owner[k] = holder /\ requester[k] = by /\ renewers[k] = renewers_2 /\ latest[k] = end /\ expires_at[k] =
  until)'))]_vars

\* A client quota is for a user, a client id or both, or for an address, and has one of their keys. (KIP-546)
G15 == \A q \in Quota : rate[q] # None => (legal_key(q) /\ nameless \notin quota_names[q])

\* A client quota that is answered NONE has its value. (KIP-546)
G16 == [][(\A q \in Quota, rate_2 \in Rate, twice \in BOOLEAN, resolves \in BOOLEAN, allowed \in BOOLEAN, validate_only
  \in BOOLEAN : (CQ9(q, rate_2, twice, resolves, allowed, validate_only)) => (rate[q]' = rate_2))]_vars

\* A client quota whose removal is answered NONE is not set. (KIP-546)
G18 == [][(\A q \in Quota, twice \in BOOLEAN, resolves \in BOOLEAN, validate_only \in BOOLEAN : (CQ4(q, twice, resolves,
  validate_only)) => ((rate[q] = None)'))]_vars

\* A refused request about access control, credentials, tokens or quotas changes none of them. (Kafka 4.4)
G17 == [][TRUE]_vars

\* An access control entry that is answered NONE can be read, and has a name and codes that Kafka knows.
\* (AclControlManager.validateNewAcl)
G19 == [][(\A a \in Acl, v \in Binding, readable \in BOOLEAN, range \in BOOLEAN, good_range \in BOOLEAN : (AL6(a, v,
  readable, range, good_range)) => (readable /\ resource_name[v] # nameless /\ 1 < resource_code[v] /\ resource_code[v]
  < 8 /\ (pattern_code[v] = 3 \/ pattern_code[v] = 4) /\ 1 < operation_code[v] /\ operation_code[v] < 16 /\
  (permission_code[v] = 2 \/ permission_code[v] = 3)))]_vars

\* An access control entry for a range of addresses is answered NONE from 4.4-IV1 on, if it is a range. (KIP-1276)
G20 == [][(\A a \in Acl, v \in Binding, readable \in BOOLEAN, range \in BOOLEAN, good_range \in BOOLEAN : (AL6(a, v,
  readable, range, good_range)) => (range => (good_range /\ 31 < metadata_version)))]_vars

\* A SCRAM credential is written or removed from 3.5-IV2 on, of a user with a name who is named once, by a mechanism
\* that Kafka knows. (ScramControlManager.alterCredentials)
G21 == [][(\A c \in Credential, twice \in BOOLEAN : (SC6(c, twice)) => (10 < metadata_version /\ ~twice /\ scram_user[c]
  # nameless /\ (mechanism[c] = 1 \/ mechanism[c] = 2))) /\ (\A c \in Credential, iterations_3 \in iterations_2, twice
  \in BOOLEAN : (SC12(c, iterations_3, twice)) => (10 < metadata_version /\ ~twice /\ scram_user[c] # nameless /\
  (mechanism[c] = 1 \/ mechanism[c] = 2)))]_vars

\* Delegation tokens are answered NONE only where the controller has a secret for them, from 3.6-IV2 on.
\* (DelegationTokenControlManager.createDelegationToken)
G23 == [][(\A k \in Token, holder \in Given_CreateDelegationToken_holder, by \in Given_CreateDelegationToken_by,
  renewers_2 \in Given_CreateDelegationToken_renewers, now \in time, end \in time, until \in time, enabled \in BOOLEAN,
  of_users \in BOOLEAN : (TK4(k, holder, by, renewers_2, now, end, until, enabled, of_users)) => (enabled /\ 13 <
  metadata_version)) /\ (\A k \in Token, by \in Principal, now \in time, until \in time, enabled \in BOOLEAN : (TK10(k,
  by, now, until, enabled)) => (enabled /\ 13 < metadata_version)) /\ (\A k \in Token, by \in Principal, now \in time,
  until \in time, at_once \in BOOLEAN, enabled \in BOOLEAN : (TK15(k, by, now, until, at_once, enabled) \/ TK17(k, by,
  now, until, at_once, enabled)) => (enabled /\ 13 < metadata_version))]_vars

\* Whoever renews a delegation token, or lets it end, is its owner or one of its renewers. (KIP-48)
G24 == [][(\A k \in Token, by \in Principal, now \in time, until \in time, enabled \in BOOLEAN : (TK10(k, by, now,
  until, enabled)) => (published[k] /\ (owner[k] = by \/ by \in renewers[k]))) /\ (\A k \in Token, by \in Principal, now
  \in time, until \in time, at_once \in BOOLEAN, enabled \in BOOLEAN : (TK15(k, by, now, until, at_once, enabled) \/
  TK17(k, by, now, until, at_once, enabled)) => (published[k] /\ (owner[k] = by \/ by \in renewers[k])))]_vars

\* A delegation token that is over is not renewed, nor given another end.
\* (DelegationTokenControlManager.renewDelegationToken)
G25 == [][(\A k \in Token, by \in Principal, now \in time, until \in time, at_once \in BOOLEAN, enabled \in BOOLEAN :
  (TK17(k, by, now, until, at_once, enabled)) => (now <= latest[k] /\ now <= expires_at[k] /\ ~at_once))]_vars

\* A delegation token that is over is not renewed. (DelegationTokenControlManager.renewDelegationToken)
G26 == [][(\A k \in Token, by \in Principal, now \in time, until \in time, enabled \in BOOLEAN : (TK10(k, by, now,
  until, enabled)) => (now <= latest[k] /\ now <= expires_at[k]))]_vars

\* Every renewer of a new delegation token is a User. (KIP-900)
G27 == [][(\A k \in Token, holder \in Given_CreateDelegationToken_holder, by \in Given_CreateDelegationToken_by,
  renewers_2 \in Given_CreateDelegationToken_renewers, now \in time, end \in time, until \in time, enabled \in BOOLEAN,
  of_users \in BOOLEAN : (TK4(k, holder, by, renewers_2, now, end, until, enabled, of_users)) => (of_users))]_vars

\* A client quota is written or removed by a request that does more than validate, and names the key once. (KIP-546)
G28 == [][(\A q \in Quota, twice \in BOOLEAN, resolves \in BOOLEAN, validate_only \in BOOLEAN : (CQ4(q, twice, resolves,
  validate_only)) => (~validate_only /\ ~twice)) /\ (\A q \in Quota, rate_2 \in Rate, twice \in BOOLEAN, resolves \in
  BOOLEAN, allowed \in BOOLEAN, validate_only \in BOOLEAN : (CQ9(q, rate_2, twice, resolves, allowed, validate_only)) =>
  (~validate_only /\ ~twice))]_vars

\* A client quota is written only where it changes. (ClientQuotaControlManager.alterClientQuotas)
G29 == [][(\A q \in Quota, twice \in BOOLEAN, resolves \in BOOLEAN, validate_only \in BOOLEAN : (CQ4(q, twice, resolves,
  validate_only)) => (rate[q]' # rate[q])) /\ (\A q \in Quota, rate_2 \in Rate, twice \in BOOLEAN, resolves \in BOOLEAN,
  allowed \in BOOLEAN, validate_only \in BOOLEAN : (CQ9(q, rate_2, twice, resolves, allowed, validate_only)) =>
  (rate[q]' # rate[q]))]_vars
================================================================================
